#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// Constants for macros that Swift cannot import.
static const int EARSHOT_AV_EOF = AVERROR_EOF;
static const int EARSHOT_AV_AGAIN = AVERROR(EAGAIN);
static const int EARSHOT_AV_REFUSED = AVERROR(EPERM);
static const int EARSHOT_AV_SEEK_SIZE = AVSEEK_SIZE;
static const int EARSHOT_AV_SEEK_FORCE = AVSEEK_FORCE;
static const int EARSHOT_AV_NO_MEMORY = AVERROR(ENOMEM);
