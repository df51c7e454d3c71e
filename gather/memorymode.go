package gather

// MemoryMode is how much is measured of the program's memory. Each mode includes those before it.
type MemoryMode uint8

// The memory modes, from the cheapest. A program starts with HeapPerFrame.
const (
	MemoryOff      MemoryMode = iota // nothing: Alloc and Free return at once
	MemoryOwn                        // what Alloc and Free say of the program's own arenas and pools, by zone
	HeapPerFrame                     // and the Go heap and its collector, by frame: two or three readings of runtime/metrics
	HeapPerZone                      // and the Go heap by zone: one reading for each Begin and each End
	NumMemoryModes = iota
)

// String returns the mode in a word: off, own, frame or zone.
func (m MemoryMode) String() string {
	return [...]string{"off", "own", "frame", "zone"}[min(m, HeapPerZone)]
}
