#include "fixed.h"
#ifdef __APPLE__
#include <OpenGL/gl.h>
#else
#include <GL/gl.h>
#endif

static GLuint cube;

static const float normals[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

// list_cube keeps a cube with edges of 2 in a display list.
static void list_cube(void) {
	cube = glGenLists(1);
	glNewList(cube, GL_COMPILE);
	glBegin(GL_QUADS);
	for (int i = 0; i < 6; i++) {
		const float *n = normals[i];
		float u[3] = {n[1], n[2], n[0]};
		float v[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
		glNormal3fv(n);
		for (int c = 0; c < 4; c++) {
			float s = corners[c][0], t = corners[c][1];
			glTexCoord2f((s + 1) / 2, (t + 1) / 2);
			glVertex3f(n[0] + s * u[0] + t * v[0], n[1] + s * u[1] + t * v[1], n[2] + s * u[2] + t * v[2]);
		}
	}
	glEnd();
	glEndList();
}

// checker binds a texture of 2 x 2 texels.
static void checker(void) {
	static const unsigned char texels[4] = {255, 170, 170, 255};
	GLuint texture;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, texels);
	glEnable(GL_TEXTURE_2D);
}

void start(void) {
	static const float fog[4] = {0.10f, 0.11f, 0.15f, 1};
	list_cube();
	checker();
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_CULL_FACE);
	glEnable(GL_LIGHTING);
	glEnable(GL_LIGHT0);
	glEnable(GL_NORMALIZE);
	glEnable(GL_COLOR_MATERIAL);
	glEnable(GL_FOG);
	glFogi(GL_FOG_MODE, GL_LINEAR);
	glFogf(GL_FOG_START, 3.5f);
	glFogf(GL_FOG_END, 8.5f);
	glFogfv(GL_FOG_COLOR, fog);
	glEnable(GL_ALPHA_TEST);
	glAlphaFunc(GL_GREATER, 0.5f);
	glClearColor(fog[0], fog[1], fog[2], 1);
	glEnableClientState(GL_VERTEX_ARRAY);
	glMatrixMode(GL_PROJECTION);
}

// ground draws a grid by a client array, which is set once and for all.
static void ground(void) {
	enum { LINES = 21 };
	static float points[LINES * 4][3];
	if (points[0][0] == 0) {
		for (int i = 0; i < LINES; i++) {
			float at = (float)(i - LINES / 2) * 0.4f, end = (float)(LINES / 2) * 0.4f;
			float line[4][3] = {{at, -1, -end}, {at, -1, end}, {-end, -1, at}, {end, -1, at}};
			for (int p = 0; p < 12; p++) points[i * 4 + p / 3][p % 3] = line[p / 3][p % 3];
		}
		glVertexPointer(3, GL_FLOAT, 0, points);
	}
	glColor3f(0.35f, 0.4f, 0.5f);
	glNormal3f(0, 1, 0);
	glDrawArrays(GL_LINES, 0, LINES * 4);
}

void draw(const body *bodies, int count, const float *camera, int width, int height) {
	static const float sun[4] = {0.5f, 0.8f, 0.3f, 0};
	glViewport(0, 0, width, height);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	glLoadMatrixf(camera); // the projection: that matrix mode is left on
	glMatrixMode(GL_MODELVIEW);
	glLoadIdentity();
	glLightfv(GL_LIGHT0, GL_POSITION, sun);
	ground();
	for (int i = 0; i < count; i++) {
		const body *b = &bodies[i];
		glPushMatrix();
		glTranslatef(b->x, b->y, b->z);
		glRotatef(b->spin * 57.29578f, 0, 1, 0);
		glScalef(b->size, b->size, b->size);
		glColor3f(b->r, b->g, b->b);
		glCallList(cube);
		glPopMatrix();
	}
	glMatrixMode(GL_PROJECTION);
}
