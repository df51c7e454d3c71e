/*
 * iprof.h measures C and C++ code of a Go program as zones of IProf for Go.
 *
 *     static const iprof_zone physics = {"physics"};
 *
 *     void step(void) {
 *         iprof_begin(&physics);
 *         ...
 *         iprof_end();
 *     }
 *
 * With GCC and Clang, IPROF_SCOPE("physics"); measures the rest of the block. An iprof_zone and its name must live as
 * long as the program. Any thread may call the functions. They write to a ring of the thread, without locks. The Go
 * package iprofc reads the rings; without it in the program, zones cost one load and one branch.
 *
 * If a ring is full, whole entries are left out, and counted. All files of a program must have the same version of this
 * header.
 */
#ifndef IPROF_H
#define IPROF_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* IPROF_EVENTS is the size of a thread's ring in begins and ends, a power of two. Unused pages take no memory. */
#ifndef IPROF_EVENTS
#define IPROF_EVENTS 65536
#endif

/* IPROF_THREADS is the greatest number of rings. The rings of ended threads are used again. */
#define IPROF_THREADS 256

#ifdef __cplusplus
extern "C" {
#endif

/* iprof_zone is a zone. Its address is its identity: zones of one name are one zone in reports. */
typedef struct {
	const char *name;
} iprof_zone;

/* What follows is between this header and package iprofc. */

typedef struct {
	uint64_t at;            /* a reading of iprof_now */
	const iprof_zone *zone; /* NULL for an end */
} iprof_event;

typedef struct iprof_thread {
	uint64_t head;     /* events written, by the thread */
	uint64_t tail;     /* events read, by iprofc */
	uint64_t lost;     /* entries left out, by the thread */
	uint64_t capacity; /* a power of two */
	uint64_t depth;    /* open entries in the ring */
	uint64_t skipped;  /* open entries that were left out */
	uint32_t ended;    /* 1: the thread has ended */
	uint32_t number;   /* from 1 on */
	struct iprof_thread *next;
	iprof_event *events;
} iprof_thread;

#define IPROF_ONE __attribute__((weak)) /* one for all files */

IPROF_ONE uint32_t iprof_on;      /* 1: zones are measured */
IPROF_ONE uint32_t iprof_counter; /* 1: iprof_now reads the processor's counter */
IPROF_ONE uint32_t iprof_lastthread;
IPROF_ONE iprof_thread *iprof_threads;
IPROF_ONE __thread iprof_thread *iprof_mine;
IPROF_ONE pthread_key_t iprof_key;
IPROF_ONE pthread_once_t iprof_once = PTHREAD_ONCE_INIT;

/* iprof_now reads the clock of package platform, or the monotonic clock in nanoseconds. */
static inline uint64_t iprof_now(void) {
#if defined(__x86_64__)
	if (iprof_counter)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (iprof_counter) {
		uint64_t at;
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(at));
		return at;
	}
#endif
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void iprof_threadended(void *thread) {
	__atomic_store_n(&((iprof_thread *)thread)->ended, 1, __ATOMIC_RELEASE);
}

static inline void iprof_makekey(void) { pthread_key_create(&iprof_key, iprof_threadended); }

/* iprof_this returns the calling thread's ring, and makes one if there is none. It returns NULL if there are too many. */
IPROF_ONE __attribute__((noinline)) iprof_thread *iprof_this(void) {
	iprof_thread *t = iprof_mine;
	if (t)
		return t;
	pthread_once(&iprof_once, iprof_makekey);
	for (t = __atomic_load_n(&iprof_threads, __ATOMIC_ACQUIRE); t; t = t->next) {
		uint32_t ended = 1;
		if (__atomic_load_n(&t->head, __ATOMIC_RELAXED) == __atomic_load_n(&t->tail, __ATOMIC_ACQUIRE) &&
		    __atomic_compare_exchange_n(&t->ended, &ended, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			break;
	}
	if (t) {
		t->depth = t->skipped = 0;
	} else {
		uint32_t number = __atomic_add_fetch(&iprof_lastthread, 1, __ATOMIC_RELAXED);
		if (number > IPROF_THREADS) {
			__atomic_store_n(&iprof_lastthread, IPROF_THREADS, __ATOMIC_RELAXED);
			return NULL;
		}
		t = (iprof_thread *)calloc(1, sizeof *t);
		if (!t)
			return NULL;
		t->events = (iprof_event *)calloc(IPROF_EVENTS, sizeof *t->events);
		if (!t->events) {
			free(t);
			return NULL;
		}
		t->capacity = IPROF_EVENTS;
		t->number = number;
		t->next = __atomic_load_n(&iprof_threads, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&iprof_threads, &t->next, t, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
	}
	pthread_setspecific(iprof_key, t);
	return iprof_mine = t;
}

static inline void iprof_write(iprof_thread *t, const iprof_zone *zone) {
	iprof_event *e = &t->events[t->head & (t->capacity - 1)];
	e->zone = zone;
	e->at = iprof_now();
	__atomic_store_n(&t->head, t->head + 1, __ATOMIC_RELEASE);
}

/* iprof_begin enters a zone. */
static inline void iprof_begin(const iprof_zone *zone) {
	iprof_thread *t = iprof_mine;
	if (!__atomic_load_n(&iprof_on, __ATOMIC_RELAXED)) {
		if (t && t->depth + t->skipped)
			t->skipped++;
		return;
	}
	if (!t && !(t = iprof_this()))
		return;
	/* The ends of all open entries have room. */
	if (t->skipped || t->head - __atomic_load_n(&t->tail, __ATOMIC_ACQUIRE) + t->depth + 2 > t->capacity) {
		t->skipped++;
		__atomic_store_n(&t->lost, t->lost + 1, __ATOMIC_RELAXED);
		return;
	}
	t->depth++;
	iprof_write(t, zone);
}

/* iprof_end leaves the zone entered last. */
static inline void iprof_end(void) {
	iprof_thread *t = iprof_mine;
	if (!t || t->depth + t->skipped == 0)
		return;
	if (t->skipped) {
		t->skipped--;
		return;
	}
	t->depth--;
	iprof_write(t, NULL);
}

static inline void iprof_leave(const iprof_zone *const *zone) {
	(void)zone;
	iprof_end();
}

#define IPROF_JOIN_(a, b) a##b
#define IPROF_JOIN(a, b) IPROF_JOIN_(a, b)
#define IPROF_SCOPE(name) IPROF_SCOPE_(name, IPROF_JOIN(iprof_zone_, __LINE__), IPROF_JOIN(iprof_scope_, __LINE__))
#define IPROF_SCOPE_(name, zone, scope)                                                                                \
	static const iprof_zone zone = {name};                                                                             \
	__attribute__((cleanup(iprof_leave))) const iprof_zone *const scope = &zone;                                       \
	iprof_begin(scope)

#ifdef __cplusplus
}
#endif

#endif
