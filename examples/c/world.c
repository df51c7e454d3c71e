#include <stdlib.h>

#include "iprof.h"
#include "world.h"

static const iprof_zone step = {"step"}, forces = {"forces"}, move = {"move"};

world *world_new(int n) {
	world *w = malloc(sizeof *w);
	if (!w)
		return NULL;
	w->n = n;
	w->place = calloc((size_t)n, sizeof(double));
	w->speed = calloc((size_t)n, sizeof(double));
	if (!w->place || !w->speed) {
		world_free(w);
		return NULL;
	}
	for (int i = 0; i < n; i++)
		w->place[i] = i + 0.25 * (i % 3);
	return w;
}

static void pull(world *w, double seconds) {
	iprof_begin(&forces);
	for (int i = 0; i < w->n; i++)
		for (int k = 0; k < w->n; k++) {
			double by = w->place[k] - w->place[i];
			w->speed[i] += seconds * by / (1 + by * by * (by < 0 ? -by : by));
		}
	iprof_end();
}

void world_step(world *w, double seconds) {
	iprof_begin(&step);
	pull(w, seconds);
	iprof_begin(&move);
	for (int i = 0; i < w->n; i++)
		w->place[i] += seconds * w->speed[i];
	iprof_end();
	iprof_end();
}

double world_energy(const world *w) {
	IPROF_SCOPE("energy");
	double sum = 0;
	for (int i = 0; i < w->n; i++)
		sum += w->speed[i] * w->speed[i] / 2;
	return sum;
}

void world_free(world *w) {
	if (!w)
		return;
	free(w->place);
	free(w->speed);
	free(w);
}
