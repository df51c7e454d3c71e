// The little of EGL and OpenGL that the tests need, declared here so that no headers are: the libraries are opened at run time.
#include <stdint.h>

typedef struct {
	void *display;
	void *context;
	uint32_t framebuffer;
} egltest_context;

// Each returns NULL or what went wrong.
const char *egltest_load(void);
const char *egltest_open(egltest_context *c, int es, int major, int minor, int core, int device, void *share);
const char *egltest_framebuffer(egltest_context *c, int width, int height);

void egltest_current(egltest_context *c);
void egltest_release(void);
void egltest_close(egltest_context *c);
const char *egltest_string(uint32_t name);
void egltest_clear(egltest_context *c, float r, float g, float b, float a);
void egltest_read(egltest_context *c, int es3, int width, int height, void *pixels);
void egltest_matrix(uint32_t mode, const float *m);
void egltest_odd(void);
