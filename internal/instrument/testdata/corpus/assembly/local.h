#define ZERO 0
