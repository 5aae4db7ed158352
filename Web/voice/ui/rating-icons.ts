/**
 * Faces from very bad to very good: the mouth of each, on a 24 grid with the eyes at 8.9 and 15.1, 9.8. Drawn in the
 * widget and in the settings.
 */
export const MOUTHS = [
  "M8 16.8c1.200-2.600 6.800-2.600 8 0",
  "M8.300 16.200c1.200-1.300 6.200-1.300 7.400 0",
  "M8.500 15.500h7",
  "M8 14.600c1.200 1.900 6.800 1.900 8 0",
  "M7.600 13.800c.8 4.400 8 4.400 8.800 0Z",
] as const;
