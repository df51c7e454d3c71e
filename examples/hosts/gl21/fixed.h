// The fixed-function pipeline: what programs of 1992 to 2008 draw with.

// body is hosts.Body.
typedef struct {
	float x, y, z, spin, size, r, g, b;
} body;

void start(void);
void draw(const body *bodies, int count, const float *camera, int width, int height);
