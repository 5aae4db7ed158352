#pragma once
int earshot_placeholder(void);
