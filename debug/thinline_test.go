package debug_test

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// The line of TestAThinLine, as TCP uses it: a packet in twenty is lost, some of them twice, and comes one way and back
// later; those behind it wait for it, and bytes stay in the program's buffer until their arrival is known.
const (
	lineBytes  = 1_000_000 / 8 // a second
	lineDelay  = 200 * time.Millisecond
	linePacket = 1400
	lineLoss   = 0.05
)

// line is the program's end of a connection over a thin line.
type line struct {
	net.Conn
	mu      sync.Mutex
	buffer  int       // bytes that the system keeps: see SetWriteBuffer
	kept    []packet  // whose arrival is not known yet
	free    time.Time // when the line has sent what it was given
	last    time.Time // when the last packet arrives
	random  *rand.Rand
	packets chan packet
	gone    chan struct{}
}

type packet struct {
	bytes []byte
	at    time.Time // when it arrives
}

// thin returns both ends of a thin line.
func thin() (program *line, viewer net.Conn) {
	viewer, theirs := net.Pipe()
	l := &line{Conn: theirs, buffer: 4 << 20, random: rand.New(rand.NewPCG(3, 4)), packets: make(chan packet, 1<<16),
		gone: make(chan struct{})}
	go func() {
		for {
			select {
			case p := <-l.packets:
				time.Sleep(time.Until(p.at))
				if _, err := theirs.Write(p.bytes); err != nil {
					return
				}
			case <-l.gone:
				return
			}
		}
	}()
	return l, viewer
}

// SetWriteBuffer is that of net.TCPConn.
func (l *line) SetWriteBuffer(bytes int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buffer = bytes
	return nil
}

// SetWriteDeadline does nothing: it would end the writes of packets, too.
func (l *line) SetWriteDeadline(time.Time) error { return nil }

// Close ends the line.
func (l *line) Close() error {
	close(l.gone)
	return l.Conn.Close()
}

// Write gives p to the line, packet by packet. It waits for a place in the buffer.
func (l *line) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(n+linePacket, len(p))]
		for wait := l.full(len(part)); wait > 0; wait = l.full(len(part)) {
			time.Sleep(wait)
		}
		l.send(part)
		n += len(part)
	}
	return n, nil
}

// full returns how long it is until the arrival of the next packet is known, if so many bytes have no place in the
// buffer.
func (l *line) full(bytes int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.kept) > 0 && !time.Now().Before(l.kept[0].at.Add(lineDelay)) {
		l.kept = l.kept[1:]
	}
	for _, p := range l.kept {
		bytes += len(p.bytes)
	}
	if bytes <= l.buffer {
		return 0
	}
	return time.Until(l.kept[0].at.Add(lineDelay))
}

// send sends a packet.
func (l *line) send(bytes []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	takes := time.Second * time.Duration(len(bytes)) / lineBytes
	l.free = later(l.free, time.Now()).Add(takes)
	at := l.free.Add(lineDelay)
	for lost := 0; lost < 2 && l.random.Float64() < lineLoss; lost++ {
		l.free, at = l.free.Add(takes), at.Add(2*lineDelay)
	}
	l.last = later(l.last, at)
	p := packet{slices.Clone(bytes), l.last}
	l.kept = append(l.kept, p)
	l.packets <- p
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// paced is a program whose frames end at times of a clock of its own: off by so much, and quicker by so much a second.
type paced struct {
	*process.Session
	zero        time.Time
	off         time.Duration
	drift       float64
	frames      *synth.Program
	last, index uint64
}

func newPaced(seed uint64, off time.Duration, drift float64) *paced {
	return &paced{Session: process.NewSession(), zero: time.Now(), off: off, drift: drift, frames: synth.New(seed)}
}

// clock returns the program's clock, in nanoseconds.
func (p *paced) clock() platform.Ticks {
	passed := time.Since(p.zero)
	return platform.Ticks(time.Hour + p.off + passed + time.Duration(float64(passed)*p.drift))
}

// frame ends a frame now.
func (p *paced) frame(t *testing.T) {
	f := *p.frames.Frame()
	f.TicksPerSecond = 1e9
	f.Begin, f.End = platform.Ticks(p.last), p.clock()
	p.last, p.index = uint64(f.End), p.index+1
	f.Index = p.index
	if err := p.WriteFrame(&f); err != nil {
		t.Error(err)
	}
}

// stream asks for the live stream over a connection.
func stream(t *testing.T, c net.Conn) *framefile.Reader {
	t.Helper()
	go io.WriteString(c, watch)
	answer := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
	r := must.Get(framefile.NewReader(answer.Body))(t)
	return r
}

// TestAThinLine: over 1 Mbit/s with 200 ms and 5 % loss a viewer gets fewer frames, and is never more than two seconds
// behind. The clock is simulated.
func TestAThinLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: the stream ends
		program := newPaced(1, 0, 0)
		p := listen(t, &debug.Server{Session: program.Session})
		mine, theirs := thin()
		p.accept <- mine
		t.Cleanup(func() { theirs.Close() })
		frames := stream(t, theirs)
		stop := make(chan struct{})
		defer close(stop)
		go everyFrame(t, stop, time.Second/500, program)
		var f gather.Frame
		got, worst := uint64(0), time.Duration(0)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); got++ {
			must.Do(t, frames.Next(&f))
			worst = max(worst, time.Duration(program.clock()-f.End))
		}
		t.Logf("%d frames, %d lost, at most %v behind", got, frames.Lost(), worst)
		if worst > 2*time.Second || got < 60 || frames.Lost() == 0 {
			t.Errorf("got %d frames, %d lost, up to %v behind; want one a second at least, some lost, at most 2s",
				got, frames.Lost(), worst)
		}
	})
}

// everyFrame ends a frame of each program at a rate, until stop is closed.
func everyFrame(t *testing.T, stop chan struct{}, rate time.Duration, programs ...*paced) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(rate):
		}
		for _, p := range programs {
			p.frame(t)
		}
	}
}
