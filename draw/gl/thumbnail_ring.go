//go:build cgo || windows

package gl

import (
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const (
	pictureWidth  = 240
	pictureCopies = 12 // number of frames until the session has decided whether a frame was slow
	pictureReads  = 3
	dearCopy      = 0.5e-3 // least time of a dear copy, in seconds
	dearShare     = 0.5    // least share of a slow frame's time before a dear copy
	dearRest      = 50     // pause after a dear copy, in times of the copy
)

// thumbnail has the copies of the newest frames of a context, and the copies that are being read back.
type thumbnail struct {
	handle uintptr
	why    error // why there are no pictures
	state  table
	has    *capabilities

	framebuffers  [2]uint32 // for copies, and for the resolved framebuffer
	resolved      uint32
	resolvedSize  [2]int32
	width, height int32
	copies        [pictureCopies]pictureCopy
	reads         [pictureReads]pictureRead
	turn          int
	cost          float64        // processor time of a copy, seconds
	rest          platform.Ticks // earliest time of the next dear copy
	out           *pictureOut
}

// pictureOut has the values that the driver writes. It holds no pointers, as calls into C require.
type pictureOut struct {
	viewport                         [4]int32
	host, samples, buffer, was, kind int32
	id                               uint32
}

// pictureCopy is a small copy of a frame.
type pictureCopy struct {
	renderbuffer uint32
	frame        uint64
	used         bool
}

// pictureRead is a copy that is being read back.
type pictureRead struct {
	buffer uint32
	sync   uintptr // 0 while it is free
	frame  uint64
}

func newThumbnail(handle uintptr) *thumbnail {
	t := &thumbnail{handle: handle, out: new(pictureOut)}
	if t.has, t.why = detectLoaded(); t.why != nil {
		return t
	}
	if !t.has.pictures() {
		t.why = errNoPictures
		return t
	}
	t.state = pictureState(t.has)
	for i := range t.framebuffers {
		t.framebuffers[i] = generated(t.out, genFramebuffer)
	}
	t.resolved = generated(t.out, genRenderbuffer)
	for i := range t.copies {
		t.copies[i].renderbuffer = generated(t.out, genRenderbuffer)
	}
	for i := range t.reads {
		t.reads[i].buffer = generated(t.out, genBuffer)
	}
	t.state.enter()
	for _, id := range t.framebuffers { // a framebuffer exists after it was bound
		bindFramebuffer(glDrawFramebuffer, id)
	}
	t.state.leave()
	return t
}

func generated(out *pictureOut, make func(*uint32)) uint32 {
	make(&out.id)
	return out.id
}

// step takes in finished reads, begins to read the copies of slow frames, and copies this frame. share is the frame's
// time so far, in lengths of a slow frame.
func (t *thumbnail) step(s *process.Session, frame uint64, share float64) {
	o := t.out
	getInteger(glViewport, &o.viewport[0])
	getInteger(glDrawBinding, &o.host)
	getInteger(glSamples, &o.samples)
	getInteger(glDrawBuffer0, &o.buffer)
	t.state.enter()
	defer t.state.leave()
	t.finish(s)
	t.begin(s)
	begin := platform.Now()
	if (t.cost < dearCopy || share > dearShare && begin > t.rest) && t.resize() && t.isReadable() {
		t.copy(frame)
		end := platform.Now()
		t.cost += (float64(end-begin)/platform.TicksPerSecond() - t.cost) / 8
		t.rest = end + dearRest*(end-begin)
	}
}

// resize makes the copies fit the viewport. It returns false if the viewport is empty.
func (t *thumbnail) resize() bool {
	w, h := t.out.viewport[2], t.out.viewport[3]
	if w <= 0 || h <= 0 {
		return false
	}
	width := min(w, pictureWidth)
	height := min(max(int32(int64(width)*int64(h)/int64(w)), 1), report.MaxPictureSide)
	if width == t.width && height == t.height {
		return true
	}
	t.width, t.height = width, height
	for i := range t.copies {
		t.copies[i].used = false
		bindRenderbuffer(t.copies[i].renderbuffer)
		renderbufferStorage(width, height)
	}
	for i := range t.reads {
		if r := &t.reads[i]; r.sync != 0 {
			deleteSync(r.sync)
			r.sync = 0
		}
		bindBuffer(glPixelPackBuffer, t.reads[i].buffer)
		bufferData(glPixelPackBuffer, t.bytes(), nil, glStreamRead)
	}
	bindBuffer(glPixelPackBuffer, 0)
	return true
}

func (t *thumbnail) bytes() int { return int(4 * t.width * t.height) }

// isReadable reports whether the host's framebuffer can be copied: it has a colour buffer, complete and not of
// integers.
func (t *thumbnail) isReadable() bool {
	o := t.out
	if o.buffer == 0 || o.buffer == glFrontAndBack || o.samples > 0 && t.has.es {
		return false
	}
	bindFramebuffer(glReadFramebuffer, uint32(o.host))
	if o.host == 0 {
		return true
	}
	if !framebufferStatus(glReadFramebuffer) {
		return false
	}
	getComponentType(glReadFramebuffer, uint32(o.buffer), &o.kind)
	return o.kind != glSignedInteger && o.kind != glUnsignedInt
}

// copy copies the host's framebuffer upside down, because pictures begin at the top.
func (t *thumbnail) copy(frame uint64) {
	o, c := t.out, &t.copies[t.turn]
	t.turn = (t.turn + 1) % pictureCopies
	from := [4]int32{o.viewport[0], o.viewport[1], o.viewport[0] + o.viewport[2], o.viewport[1] + o.viewport[3]}
	getInteger(glReadBuffer, &o.was)
	readBuffer(uint32(o.buffer))
	if o.samples > 0 {
		t.resolve(from)
	}
	bindFramebuffer(glDrawFramebuffer, t.framebuffers[0])
	attachRenderbuffer(glDrawFramebuffer, c.renderbuffer)
	blit(from, [4]int32{0, t.height, t.width, 0}, glLinear)
	bindFramebuffer(glReadFramebuffer, uint32(o.host))
	readBuffer(uint32(o.was))
	c.frame, c.used = frame, true
}

// resolve copies a multisampled framebuffer to one that can be scaled, and binds that for reading.
func (t *thumbnail) resolve(from [4]int32) {
	bindFramebuffer(glDrawFramebuffer, t.framebuffers[1])
	if size := [2]int32{from[2], from[3]}; size != t.resolvedSize {
		t.resolvedSize = size
		bindRenderbuffer(t.resolved)
		renderbufferStorage(size[0], size[1])
		attachRenderbuffer(glDrawFramebuffer, t.resolved)
	}
	blit(from, from, glNearest)
	bindFramebuffer(glReadFramebuffer, t.framebuffers[1])
}
