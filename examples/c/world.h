#ifndef WORLD_H
#define WORLD_H

/* world is n bodies that attract each other, on a line. */
typedef struct {
	int n;
	double *place, *speed;
} world;

world *world_new(int n);
void world_step(world *w, double seconds);
double world_energy(const world *w);
void world_free(world *w);

#endif
