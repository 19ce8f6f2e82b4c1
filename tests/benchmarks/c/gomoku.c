// Hand-written gomoku: uniform random playouts, five or more in a row win. The speed limit that gdl is held against.
// Method: each side keeps every row, column and diagonal as 16 bits, of which one is never set; the four lines through the
// last stone, side by side in one word, are searched for five at once. The list of sites is shuffled as the game draws from
// it, and never set up again. Build with -DN=... for a size up to 15. Argument: the number of playouts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef N
#define N 15
#endif
#define S (N * N)
#define LINES (6 * N - 2)

typedef struct { uint8_t line[4], place[4]; } Point;

static Point points[S];

static void lay_out(void) {
  for (int row = 0; row < N; row++)
    for (int column = 0; column < N; column++) {
      Point *point = &points[row * N + column];
      point->line[0] = row;                             point->place[0] = column;
      point->line[1] = N + column;                      point->place[1] = row;
      point->line[2] = 2 * N + row + column;            point->place[2] = row;
      point->line[3] = 4 * N - 1 + row - column + N - 1; point->place[3] = row;
    }
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 400000;
  uint64_t x = 88172645463325252ULL;
  uint16_t lines[2][LINES];
  uint8_t sites[S];
  long first_wins = 0, draws = 0, moves = 0;
  struct timespec a, b;
  lay_out();
  for (int i = 0; i < S; i++) sites[i] = i;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long game = 0; game < games; game++) {
    int left = S, mover = 0;
    memset(lines, 0, sizeof lines);
    for (;;) {
      x ^= x << 13; x ^= x >> 7; x ^= x << 17;
      int j = ((x >> 32) * (uint64_t)left) >> 32, site = sites[j];
      sites[j] = sites[--left]; sites[left] = site;
      const Point *point = &points[site];
      uint16_t *own = lines[mover];
      uint64_t word = 0;
      for (int i = 0; i < 4; i++)
        word |= (uint64_t)(own[point->line[i]] |= 1u << point->place[i]) << 16 * i;
      uint64_t two = word & word >> 1;
      if (two & two >> 2 & word >> 4) { first_wins += mover == 0; break; }
      if (left == 0) { draws++; break; }
      mover ^= 1;
    }
    moves += S - left;
  }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f\n", games / s, moves / s / 1e6, (double)first_wins / games, (double)moves / games, (double)draws / games);
}
