//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// The blocks of a run come in pairs, and the two of a pair are compared.

// nextPair says what the next two blocks are.
//
//go:norace
func (d *draw) nextPair() {
	d.pair = [2]kind{timing, counting}
	if d.left <= 2*countPairs {
		d.pair = [2]kind{recountingMore, recounting}
	}
	if d.upTo(1) == 0 {
		d.pair[0], d.pair[1] = d.pair[1], d.pair[0]
	}
}

// lead is how many entries of a block are not measured.
//
//go:norace
func (d *draw) lead() uint32 { return d.length / 8 }

// begin begins to measure a block.
//
//go:norace
func (d *draw) begin() {
	if d.kind == timing {
		d.mark()
	} else {
		d.behind = d.untimed()
	}
}

// end ends that. Two blocks are compared.
//
//go:norace
func (d *draw) end(x *extra, took platform.Ticks) {
	switch d.kind {
	case timing:
		d.more = block{took, d.note()}
		d.noteAround()
		switch {
		case d.members[0].block.entries == 0: // it is not known what it had
		case d.timed.isFreak(took):
			d.setApart()
		default:
			d.keep()
		}
	case recountingMore:
		d.more = block{took, d.untimed() - d.behind}
	default:
		d.less = block{took, d.untimed() - d.behind}
	}
	switch {
	case d.left%2 != 0:
	case d.left < 2*countPairs:
		d.again.add(d.more, d.less, float64(d.length-d.lead())*(manyAgain-fewAgain))
	default:
		if wasted, known := x.wasted(d.more.pairs); known && d.more.pairs > 0 {
			d.timed.add(d.more, d.less, float64(d.more.pairs)+float64(wasted)/2) // of the two readings that timing is
		}
	}
}
