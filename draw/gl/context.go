//go:build cgo && !windows

package gl

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stddef.h>

typedef void *(*get)(void);

// find returns a function of a library that the process has already loaded.
static get find(const char *library, const char *name) {
	void *l = library ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : RTLD_DEFAULT;
	return library && !l ? NULL : (get)dlsym(l, name);
}

// profgl_context returns the thread's current context. The libraries may be loaded at any time, so without a context it
// searches again for the missing ones. Threads may search at the same time, because they find the same.
static uintptr_t profgl_context(void) {
	static get egl, system, latest; // latest found a context the last time, and is asked first
	get first = latest;
	void *c = NULL;
	if (first && (c = first()))
		return (uintptr_t)c;
#ifdef __APPLE__
	if (!system)
		system = find(NULL, "CGLGetCurrentContext");
#else
	if (!system)
		system = find("libGL.so.1", "glXGetCurrentContext");
	if (!system)
		system = find("libGLX.so.0", "glXGetCurrentContext");
	if (!egl)
		egl = find("libEGL.so.1", "eglGetCurrentContext");
#endif
	if (system && (c = system()))
		latest = system;
	else if (egl && (c = egl()))
		latest = egl;
	return (uintptr_t)c;
}
*/
import "C"

// currentContext returns the window system's name of the thread's current context, 0 without one.
func currentContext() uintptr { return uintptr(C.profgl_context()) }
