package governor

// Plan chooses the entries of a top to time. Bursts of entries come at random gaps. A burst consists of pairs of
// blocks, one timed and one counted, in random order. The first entries after a change belong to no block, because the
// processor's caches need some entries to warm up.
//
// The difference between the two blocks of a pair is the cost of timing in place. The blocks are short, so that both do
// much the same work (bench/flake). Only the lane's goroutine uses a plan.
type Plan struct {
	_      [0]func() // not comparable: the code of == would be in each program
	Random Random
	Timed  bool // the present stretch of entries is timed

	stage  Stage
	left   int // blocks to come
	blocks Blocks
}

// Stage is a top's position in its plan.
type Stage int

// The stages, in their order.
const (
	Gap   Stage = iota
	First       // the first entries of a block
	Block
)

// Stage returns the stage of the present stretch of entries.
func (p *Plan) Stage() Stage { return p.stage }

// Restart begins with a gap. It returns its length.
//
//go:norace
func (p *Plan) Restart(by *Policy) (entries uint32) {
	p.stage, p.Timed = Gap, false
	return by.NextGap(&p.Random)
}

// Next begins the next stretch of entries and returns its length. ended reports whether the last stretch was the end of
// a burst. After a block, call EndBlock first.
//
//go:norace
func (p *Plan) Next(by *Policy) (entries uint32, ended bool) {
	switch p.stage {
	case Gap:
		p.left = 2 * blockPairs
	case First:
		p.stage = Block
		return by.Length, false
	case Block:
		if p.left == 0 {
			return p.Restart(by), true
		}
	}
	p.stage = First
	if p.Timed = !p.Timed; p.left%2 == 0 {
		p.Timed = p.Random.UpTo(1) == 0
	}
	return max(by.Length/4, 1), false
}

// Interrupted reports whether a block of took ticks was interrupted. Call it once for each block.
func (p *Plan) Interrupted(took float64) bool { return p.blocks.Interrupted(took) }

// EndBlock adds a block to its pair. entries is the number of demoted entries in a timed block: with 0, the pair is
// left out. far is the result of Interrupted. It returns the cost of timing an entry, by pairs of blocks.
func (p *Plan) EndBlock(took, entries float64, far, leaveOut bool) Ratio {
	if p.left--; p.left%2 == 1 {
		p.blocks.BeginPair()
	}
	p.blocks.Add(p.Timed, took, entries, far)
	if p.left%2 == 0 {
		p.blocks.EndPair(leaveOut)
	}
	return p.blocks.Cost
}
