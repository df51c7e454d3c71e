package printed

// Bar returns one character for a bar of eight heights that is a share of the full one: a space for 0 and less, else at
// least the lowest. Without unicode it is an ASCII sign.
func Bar(share float64, unicode bool) string {
	height := min(int(share*8), 8)
	if share > 0 {
		height = max(height, 1)
	}
	if unicode {
		return string([]rune(" ▁▂▃▄▅▆▇█")[max(height, 0)])
	}
	return " .:-=+*#@"[max(height, 0):][:1]
}
