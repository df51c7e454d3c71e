// Package ccode has C code with zones, for the tests of package iprofc.
package ccode

/*
#cgo CFLAGS: -I${SRCDIR}/../.. -O2
#include <stdint.h>
#include "iprof.h"

extern void callGo(uintptr_t f);

static void spin(int64_t microseconds) {
	struct timespec t, now;
	clock_gettime(CLOCK_MONOTONIC, &t);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - t.tv_sec) * 1000000 + (now.tv_nsec - t.tv_nsec) / 1000 < microseconds);
}

static const iprof_zone outer = {"outer"}, inner = {"inner"}, back = {"back"}, many = {"many"};
static const iprof_zone hostile = {"a\n\xff<b>"};

static void nested(int64_t microseconds) {
	iprof_begin(&outer);
	spin(microseconds);
	for (int i = 0; i < 3; i++) {
		IPROF_SCOPE("inner");
		spin(microseconds);
	}
	iprof_end();
}

static void calls(uintptr_t f) {
	iprof_begin(&back);
	callGo(f);
	iprof_end();
}

static void repeat(int64_t n) {
	for (int64_t i = 0; i < n; i++) {
		iprof_begin(&many);
		iprof_end();
	}
}

static void deep(int64_t n) {
	for (int64_t i = 0; i < n; i++)
		iprof_begin(i & 1 ? &inner : &outer);
	for (int64_t i = 0; i < n; i++)
		iprof_end();
}

static void unended(void) {
	iprof_begin(&outer);
	iprof_begin(&inner);
}

static void extra(void) {
	iprof_end();
	iprof_begin(&hostile);
	iprof_end();
	iprof_end();
}

static void *threadmain(void *n) {
	for (int i = 0; i < (intptr_t)n; i++)
		nested(100);
	return NULL;
}

static int onthread(intptr_t n) {
	pthread_t thread;
	if (pthread_create(&thread, NULL, threadmain, (void *)n))
		return 1;
	return pthread_join(thread, NULL);
}
*/
import "C"

import (
	"runtime/cgo"
	"time"
)

// Nested enters outer for four times as long, and inner three times inside.
func Nested(long time.Duration) { C.nested(C.int64_t(long.Microseconds())) }

// Calls calls f from C code in the zone back.
func Calls(f func()) {
	h := cgo.NewHandle(f)
	defer h.Delete()
	C.calls(C.uintptr_t(h))
}

//export callGo
func callGo(f C.uintptr_t) { cgo.Handle(f).Value().(func())() }

// Repeat enters the zone many n times.
func Repeat(n int) { C.repeat(C.int64_t(n)) }

// Deep enters outer and inner by turns, n levels deep.
func Deep(n int) { C.deep(C.int64_t(n)) }

// Unended enters outer and inner, and ends neither.
func Unended() { C.unended() }

// Extra ends two entries too many around one of a zone with a hostile name.
func Extra() { C.extra() }

// OnThread has a new thread of C do Nested n times, and waits for its end.
func OnThread(n int) bool { return C.onthread(C.intptr_t(n)) == 0 }

// Empty does nothing in C.
func Empty() { C.repeat(0) }
