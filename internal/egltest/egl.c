//go:build linux

#include "egl.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#define FUNCTIONS(X) \
	X(void *, GetPlatformDisplayEXT, (uint32_t, void *, const int32_t *)) \
	X(uint32_t, Initialize, (void *, int32_t *, int32_t *)) \
	X(uint32_t, BindAPI, (uint32_t)) \
	X(void *, CreateContext, (void *, void *, void *, const int32_t *)) \
	X(uint32_t, ChooseConfig, (void *, const int32_t *, void **, int32_t, int32_t *)) \
	X(uint32_t, DestroyContext, (void *, void *)) \
	X(uint32_t, MakeCurrent, (void *, void *, void *, void *)) \
	X(void *, GetCurrentDisplay, (void)) \
	X(int32_t, GetError, (void))

#define GL_FUNCTIONS(X) \
	X(const char *, GetString, (uint32_t)) \
	X(void, GenFramebuffers, (int32_t, uint32_t *)) \
	X(void, BindFramebuffer, (uint32_t, uint32_t)) \
	X(void, GenRenderbuffers, (int32_t, uint32_t *)) \
	X(void, BindRenderbuffer, (uint32_t, uint32_t)) \
	X(void, RenderbufferStorage, (uint32_t, uint32_t, int32_t, int32_t)) \
	X(void, FramebufferRenderbuffer, (uint32_t, uint32_t, uint32_t, uint32_t)) \
	X(uint32_t, CheckFramebufferStatus, (uint32_t)) \
	X(void, Viewport, (int32_t, int32_t, int32_t, int32_t)) \
	X(void, Scissor, (int32_t, int32_t, int32_t, int32_t)) \
	X(void, ClearColor, (float, float, float, float)) \
	X(void, Clear, (uint32_t)) \
	X(void, GetIntegerv, (uint32_t, int32_t *)) \
	X(void, GetFloatv, (uint32_t, float *)) \
	X(void, PixelStorei, (uint32_t, int32_t)) \
	X(void, BindBuffer, (uint32_t, uint32_t)) \
	X(void, ReadPixels, (int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void *)) \
	X(void, MatrixMode, (uint32_t)) \
	X(void, LoadMatrixf, (const float *)) \
	X(void, AlphaFunc, (uint32_t, float)) \
	X(void, PolygonStipple, (const uint8_t *)) \
	X(void, ClipPlane, (uint32_t, const double *))

#define DECLARE_EGL(ret, name, args) static ret (*egl##name) args;
#define DECLARE_GL(ret, name, args) static ret (*gl##name) args;
FUNCTIONS(DECLARE_EGL)
GL_FUNCTIONS(DECLARE_GL)
static uint32_t (*eglQueryDevicesEXT)(int32_t, void **, int32_t *);

static void *(*get_proc)(const char *);
static char message[200];

static const char *explain(const char *what) {
	snprintf(message, sizeof message, "%s failed (EGL error 0x%x)", what, eglGetError ? eglGetError() : 0);
	return message;
}

const char *egltest_load(void) {
	if (get_proc) return NULL;
	void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!lib) return dlerror();
	void *(*find)(const char *) = (void *(*)(const char *))dlsym(lib, "eglGetProcAddress");
	if (!find) return dlerror();
#define LOAD_EGL(ret, name, args) \
	*(void **)&egl##name = dlsym(lib, "egl" #name); \
	if (!egl##name) *(void **)&egl##name = find("egl" #name); \
	if (!egl##name) return "libEGL has no egl" #name;
	FUNCTIONS(LOAD_EGL)
#define LOAD_GL(ret, name, args) *(void **)&gl##name = find("gl" #name);
	GL_FUNCTIONS(LOAD_GL)
	*(void **)&eglQueryDevicesEXT = find("eglQueryDevicesEXT");
	get_proc = find;
	return NULL;
}

// One display for each platform and device, initialised once and never terminated: EGL shares it between its contexts.
static void *display_of(int device) {
	if (device < 0) return eglGetPlatformDisplayEXT(0x31DD, NULL, NULL); // EGL_PLATFORM_SURFACELESS_MESA
	void *devices[32];
	int32_t n = 0;
	if (!eglQueryDevicesEXT || !eglQueryDevicesEXT(32, devices, &n) || device >= n) return NULL;
	return eglGetPlatformDisplayEXT(0x313F, devices[device], NULL); // EGL_PLATFORM_DEVICE_EXT
}

const char *egltest_open(egltest_context *c, int es, int major, int minor, int core, int device, void *share) {
	c->display = display_of(device);
	if (!c->display) return explain("eglGetPlatformDisplay");
	if (!eglInitialize(c->display, NULL, NULL)) return explain("eglInitialize");
	eglBindAPI(es ? 0x30A0 : 0x30A2);
	const int32_t wanted[] = {0x3033, 0x0001, 0x3040, es ? 0x0004 : 0x0008, 0x3038}; // SURFACE_TYPE pbuffer, RENDERABLE_TYPE
	void *config = NULL;
	int32_t n = 0;
	eglChooseConfig(c->display, wanted, &config, 1, &n); // none is well: EGL_NO_CONFIG_KHR
	int32_t a[16] = {0x3098, major, 0x30FB, minor}, i = 4;
	if (!es && major >= 3) a[i++] = 0x30FD, a[i++] = core ? 1 : 2;
	a[i] = 0x3038;
	c->context = eglCreateContext(c->display, n ? config : NULL, share, a);
	if (!c->context) return explain("eglCreateContext");
	if (!eglMakeCurrent(c->display, NULL, NULL, c->context)) return explain("eglMakeCurrent");
	return NULL;
}

static void renderbuffer(uint32_t format, uint32_t attachment, int width, int height) {
	uint32_t id;
	glGenRenderbuffers(1, &id);
	glBindRenderbuffer(0x8D41, id);
	glRenderbufferStorage(0x8D41, format, width, height);
	glFramebufferRenderbuffer(0x8D40, attachment, 0x8D41, id);
}

const char *egltest_framebuffer(egltest_context *c, int width, int height) {
	glGenFramebuffers(1, &c->framebuffer);
	glBindFramebuffer(0x8D40, c->framebuffer);
	renderbuffer(0x8058, 0x8CE0, width, height); // RGBA8
	uint32_t depth_stencil;
	glGenRenderbuffers(1, &depth_stencil);
	glBindRenderbuffer(0x8D41, depth_stencil);
	glRenderbufferStorage(0x8D41, 0x88F0, width, height); // DEPTH24_STENCIL8
	glFramebufferRenderbuffer(0x8D40, 0x8D00, 0x8D41, depth_stencil);
	glFramebufferRenderbuffer(0x8D40, 0x8D20, 0x8D41, depth_stencil);
	glBindRenderbuffer(0x8D41, 0);
	if (glCheckFramebufferStatus(0x8D40) != 0x8CD5) return "the frame buffer is incomplete";
	glViewport(0, 0, width, height);
	glScissor(0, 0, width, height);
	return NULL;
}

void egltest_current(egltest_context *c) { eglMakeCurrent(c->display, NULL, NULL, c->context); }

void egltest_release(void) {
	if (eglGetCurrentDisplay && eglGetCurrentDisplay()) eglMakeCurrent(eglGetCurrentDisplay(), NULL, NULL, NULL);
}

void egltest_close(egltest_context *c) {
	eglMakeCurrent(c->display, NULL, NULL, NULL);
	eglDestroyContext(c->display, c->context);
}

const char *egltest_string(uint32_t name) { return glGetString(name); }

void egltest_clear(egltest_context *c, float r, float g, float b, float a) {
	float old[4];
	glGetFloatv(0x0C22, old);
	glBindFramebuffer(0x8D40, c->framebuffer);
	glClearColor(r, g, b, a);
	glClear(0x4500);
	glClearColor(old[0], old[1], old[2], old[3]);
}

void egltest_read(egltest_context *c, int es3, int width, int height, void *pixels) {
	static const uint32_t names[] = {0x0D05, 0x0D02, 0x0D03, 0x0D04}; // PACK_ALIGNMENT, ROW_LENGTH, SKIP_ROWS, SKIP_PIXELS
	int32_t old[4], buffer = 0, n = es3 ? 4 : 1;
	for (int i = 0; i < n; i++) {
		glGetIntegerv(names[i], &old[i]);
		glPixelStorei(names[i], i == 0);
	}
	if (es3) {
		glGetIntegerv(0x88ED, &buffer); // PIXEL_PACK_BUFFER
		glBindBuffer(0x88EB, 0);
	}
	glReadPixels(0, 0, width, height, 0x1908, 0x1401, pixels);
	for (int i = 0; i < n; i++) glPixelStorei(names[i], old[i]);
	if (es3) glBindBuffer(0x88EB, buffer);
}

void egltest_matrix(uint32_t mode, const float *m) {
	int32_t old;
	glGetIntegerv(0x0BA0, &old);
	glMatrixMode(mode);
	glLoadMatrixf(m);
	glMatrixMode(old);
}

void egltest_odd(void) {
	static const uint8_t nothing[128];
	static const double nowhere[4] = {0, 0, 0, -1};
	glAlphaFunc(0x0200, 0.9f); // NEVER
	glPolygonStipple(nothing);
	for (int i = 0; i < 6; i++) glClipPlane(0x3000 + i, nowhere);
}
