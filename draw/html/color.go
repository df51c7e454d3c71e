package html

// colors is the number of colours that zones come in: 12 hues in 3 shades, which the page's script knows how to mix.
const colors = 36

// hashed is how much of each end of a name its colour depends on.
const hashed = 128

// colorOf returns the number of a zone's colour, 0..colors-1. It depends on the name alone and is the colour that package
// draw gives the zone in a window, though pages must not depend on that package's fonts: a test holds the two together.
func colorOf(name string) uint32 {
	h := uint32(2166136261) // FNV-1a, mixed once more at the end
	n := len(name)
	for i := 0; i < n; i++ {
		if n > 2*hashed && i == hashed {
			i = n - hashed
		}
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= uint32(n) ^ h>>15
	h *= 0x2c1b3c6d
	h ^= h >> 13
	return h % colors
}
