// Colours one fragment: the vertex colour, its alpha scaled by the coverage in the atlas, in the form that the blending in
// force expects: 0 no blending, 1 straight alpha, 2 premultiplied alpha. Without blending what is less than half covered
// is left out, so that text stays readable and a translucent panel never hides the picture below.
uniform sampler2D atlas;
uniform float blending;

IN vec2 texel;
IN vec4 tint;

void main() {
	vec4 c = vec4(tint.rgb, tint.a * SAMPLE(atlas, texel).r);
	if (blending < 0.5 && c.a < 0.5) {
		discard;
	}
	if (blending > 1.5) {
		c.rgb *= c.a;
	}
	RESULT = c;
}
