package history

// chunkFrames is the number of frames in a chunk.
const chunkFrames = 64

// chunk has the times of one series in consecutive frames. Series have their borders in different frames, so that they
// do not all need a new chunk in the same frame.
type chunk struct {
	_        Incomparable
	of       *Series
	next     *chunk // taken later, or also free
	end      uint64 // the frame after the last
	greatest float32
	at       uint64 // the newest frame with the value most, set by seek
	values   [chunkFrames]float32
}

// place returns the index of a frame in values. It is out of range for frames of other chunks.
func (c *chunk) place(seq uint64) uint64 { return seq + chunkFrames - c.end }

// begin returns the first frame. The very first chunk may begin before frame 0.
func (c *chunk) begin() uint64 { return c.end - min(c.end, chunkFrames) }

// slabChunks is the number of chunks that are made together.
const slabChunks = 48

// trimShare is the share of the chunks that one frame takes back at most. The usual share is one of some 300.
const trimShare = 64

// chunkBytes is about the memory of a chunk.
const chunkBytes = 4*chunkFrames + 40

// Chunks gives series their memory, and gets it back as frames leave the history. A series needs no chunk for frames in
// which it has no time.
type Chunks struct {
	free           *chunk
	oldest, newest *chunk // in use
	used, made     int
	ids            uint64 // of series
}

// Bytes returns the memory in use.
func (c *Chunks) Bytes() int { return c.used * chunkBytes }

// take returns an empty chunk for a series.
func (c *Chunks) take(of *Series, end uint64) *chunk {
	if c.free == nil {
		c.slab()
	}
	k := c.free
	c.free = k.next
	*k = chunk{of: of, end: end}
	if c.used++; c.oldest == nil {
		c.oldest = k
	} else {
		c.newest.next = k
	}
	c.newest = k
	return k
}

// slab makes some chunks.
func (c *Chunks) slab() {
	slab := make([]chunk, slabChunks)
	for i := range slab {
		slab[i].next, c.free = c.free, &slab[i]
	}
	c.made += slabChunks
}

// Stock takes memory ahead until n chunks were made: see List.Stock.
func (c *Chunks) Stock(n int, ahead *int) {
	for c.made < n && *ahead > 0 {
		c.slab()
		*ahead -= slabChunks * chunkBytes
	}
}

// trim takes back chunks with only frames before first. All series may have their first border in one frame. So that
// this frame does not take longer than others, some chunks wait for the next ones.
func (c *Chunks) trim(first uint64) {
	for left := c.used/trimShare + 16; left > 0 && c.oldest != nil && c.oldest.end <= first; left-- {
		k := c.oldest
		k.of.trim(first)
		c.oldest = k.next
		k.of, k.next, c.free = nil, c.free, k
		c.used--
	}
}
