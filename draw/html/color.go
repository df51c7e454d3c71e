package html

// colors is the number of colours for zones of the program: 12 hues in 3 shades, which the page's script mixes. Two
// more are for rows that are not zones of the program.
const (
	colors   = 36
	given    = colors     // made by the profiler for time outside the program's zones: (root)
	profiler = colors + 1 // the profiler's own work
)

// hashed is the number of bytes at each end of a name that its colour depends on.
const hashed = 128

// colorOf returns the number of a zone's colour. It depends on the name alone. The colours are those of draw.ZoneColor:
// pages must not depend on the fonts that package draw imports, so the hash is written twice. A test compares both.
func colorOf(name string) uint32 {
	h := uint32(2166136261) // FNV-1a, mixed once more at the end
	n := len(name)
	switch {
	case n > 2 && name[0] == '(' && name[n-1] == ')':
		return given
	case n > 6 && name[:6] == "iprof ":
		return profiler
	}
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
