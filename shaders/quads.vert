// Places one corner of a quad. Positions arrive in the units of the list; projection turns them into clip space.
uniform mat4 projection;

IN vec2 POSITION;
IN vec2 atlasPosition;
IN vec4 color;

OUT vec2 texel;
OUT vec4 tint;

void main() {
	texel = atlasPosition;
	tint = color;
	gl_Position = projection * vec4(POSITION, 0.0, 1.0);
}
