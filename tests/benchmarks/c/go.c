// Hand-written Go without superko: uniform random playouts, area scoring. The speed limit that gdl is held against.
// Method: groups as rings of stones, with pseudo-liberties (the edges to empty points) counted. A move is drawn from the
// empty points and a pass, and drawn anew if it takes the last liberty of its own group, so that each legal move is equally
// likely. Two passes end the game; one of MOST moves is left unfinished. Build with -DN=19 for another size, -DKOMI2=...
// for twice the komi. Argument: the number of playouts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef N
#define N 9
#endif
#ifndef KOMI2
#define KOMI2 15
#endif
#ifndef MOST
#define MOST 10000
#endif
#define W (N + 1)
#define V (W * (N + 2))
enum { EMPTY, BLACK, WHITE, BORDER };

static const int steps[4] = {-W, -1, 1, W};
static uint8_t colour[V];
static int16_t group[V], next[V], size[V], liberties[V]; // by site; size and liberties by the group's first stone
static int16_t empty[V], place[V];
static int left;

static void clear_board(void) {
  left = 0;
  memset(colour, BORDER, sizeof colour);
  for (int row = 1; row <= N; row++)
    for (int column = 0; column < N; column++) {
      int v = row * W + column;
      colour[v] = EMPTY; group[v] = v; place[v] = left; empty[left++] = v;
    }
}

static inline void merge(int v, int other) { // the group of v takes in another
  int one = group[v];
  if (size[one] < size[other]) { int t = one; one = other; other = t; }
  liberties[one] += liberties[other];
  size[one] += size[other];
  int w = other;
  do { group[w] = one; w = next[w]; } while (w != other);
  int t = next[one]; next[one] = next[other]; next[other] = t;
}

static void take(int first) {
  int v = first;
  do {
    int following = next[v];
    colour[v] = EMPTY; group[v] = v; place[v] = left; empty[left++] = v;
    for (int i = 0; i < 4; i++) liberties[group[v + steps[i]]]++;
    v = following;
  } while (v != first);
}

static inline int play(int v, int mover) { // returns 0, and changes nothing, if the move is illegal
  int free = 0, legal = 0;
  for (int i = 0; i < 4; i++) {
    int w = v + steps[i];
    free += colour[w] == EMPTY;
    liberties[group[w]]--; // of an empty point or the border: counted, never read
  }
  if (!free) {
    for (int i = 0; i < 4; i++) {
      int w = v + steps[i];
      legal |= (colour[w] == mover) & (liberties[group[w]] > 0);
      legal |= (colour[w] == (BLACK ^ WHITE ^ mover)) & (liberties[group[w]] == 0);
    }
    if (!legal) {
      for (int i = 0; i < 4; i++) liberties[group[v + steps[i]]]++;
      return 0;
    }
  }
  int last = empty[--left];
  empty[place[v]] = last; place[last] = place[v];
  colour[v] = mover; group[v] = v; next[v] = v; size[v] = 1; liberties[v] = free;
  for (int i = 0; i < 4; i++) {
    int w = v + steps[i];
    if (colour[w] == mover) { if (group[w] != group[v]) merge(v, group[w]); }
    else if (colour[w] == (BLACK ^ WHITE ^ mover) && liberties[group[w]] == 0) take(group[w]);
  }
  return 1;
}

static int black_leads(void) {
  int twice = -KOMI2, stack[V];
  uint8_t seen[V] = {0};
  for (int row = 1; row <= N; row++)
    for (int column = 0; column < N; column++) {
      int v = row * W + column;
      if (colour[v] == BLACK) twice += 2;
      else if (colour[v] == WHITE) twice -= 2;
      else if (!seen[v]) {
        int top = 0, points = 0, touched = 0;
        stack[top++] = v; seen[v] = 1;
        while (top) {
          int w = stack[--top];
          points++;
          for (int i = 0; i < 4; i++) {
            int u = w + steps[i];
            touched |= 1 << colour[u];
            if (colour[u] == EMPTY && !seen[u]) seen[u] = 1, stack[top++] = u;
          }
        }
        int owners = touched & (1 << BLACK | 1 << WHITE);
        if (owners == 1 << BLACK) twice += 2 * points;
        else if (owners == 1 << WHITE) twice -= 2 * points;
      }
    }
  return twice > 0 ? 1 : twice < 0 ? -1 : 0;
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 100000;
  uint64_t x = 88172645463325252ULL;
  long first_wins = 0, draws = 0, moves = 0, unfinished = 0;
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long game = 0; game < games; game++) {
    int mover = BLACK, passes = 0, ply = 0;
    clear_board();
    while (passes < 2 && ply < MOST) {
      int j, pass;
      do {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
        j = ((x >> 32) * (uint64_t)(left + 1)) >> 32;
        pass = j == left;
      } while (!pass && !play(empty[j], mover));
      passes = pass ? passes + 1 : 0;
      mover = BLACK ^ WHITE ^ mover;
      ply++;
    }
    moves += ply;
    if (passes < 2) { unfinished++; continue; }
    int lead = black_leads();
    first_wins += lead > 0;
    draws += lead == 0;
  }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f unfinished %.4f\n", games / s, moves / s / 1e6, (double)first_wins / games, (double)moves / games, (double)draws / games, (double)unfinished / games);
}
