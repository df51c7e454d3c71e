package debug_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

const watch = "GET /debug/iprof/live HTTP/1.1\r\nHost: localhost\r\n\r\n"

// runs steps a program until the test ends or stop is called.
func runs(t *testing.T, program *world.Game) (stop func(), frames *atomic.Uint64) {
	frames = new(atomic.Uint64)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(time.Millisecond):
			}
			if err := program.Step(); err != nil {
				t.Error(err)
			}
			frames.Add(1)
		}
	}()
	stop = sync.OnceFunc(func() { close(quit); <-done })
	t.Cleanup(stop)
	return stop, frames
}

// Each frame arrives while the program runs, with what a capture of it has.
func TestFramesArriveWhileTheProgramRuns(t *testing.T) {
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	runs(t, program)
	answer := must.Get(http.Get(server.URL + "/debug/iprof/live"))(t)
	defer answer.Body.Close()
	frames, err := framefile.NewReader(answer.Body)
	if err != nil || answer.Header.Get("Cache-Control") != "no-store" {
		t.Fatal(err, answer.Header)
	}
	copied := process.NewSession()
	var f gather.Frame
	last := uint64(0)
	for n := range 300 {
		must.Do(t, frames.Next(&f))
		if f.Index <= last || n > 0 && frames.Lost() == 0 && f.Index != last+1 {
			t.Fatalf("got frame %d after %d, %d lost", f.Index, last, frames.Lost())
		}
		last = f.Index
		must.Do(t, copied.WriteFrame(&f))
	}
	var r report.Report
	copied.View().AppendReport(&r)
	if len(r.Records) < 5 || frames.Info().Program == "" {
		t.Errorf("got %d records of %+v", len(r.Records), frames.Info())
	}
	if head := get(server.Config.Handler, "HEAD", "/debug/iprof/live"); head.Code != 200 || head.Body.Len() > 0 {
		t.Errorf("HEAD: got %d and %d bytes", head.Code, head.Body.Len())
	}
}

// A paused program's viewer can tell it from one that is gone.
func TestAStreamWithoutFramesIsAlive(t *testing.T) {
	t.Parallel() // it waits
	s, _ := played(t)
	p := listen(t, &debug.Server{Session: s})
	c, _ := p.dial(t)
	go io.WriteString(c, watch)
	answer := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
	r := bufio.NewReader(answer.Body)
	head := make([]byte, 10)
	io.ReadFull(r, head)
	kinds := map[byte]int{}
	for kinds['L'] < 2 {
		kind := must.Get(r.ReadByte())(t)
		kinds[kind]++
		length, _ := r.ReadByte()
		more := 0
		if length >= 0x80 {
			second, _ := r.ReadByte()
			length, more = length&0x7f, int(second)<<7
		}
		r.Discard(int(length) + more + 4)
	}
}

// The program goes on, the memory that waits is bounded, and the viewer is sent away.
func TestAViewerThatNeverReads(t *testing.T) {
	s, program := played(t)
	p := listen(t, &debug.Server{Session: s, Timeout: 50 * time.Millisecond})
	before := runtime.NumGoroutine()
	_, frames := runs(t, program)
	c, closed := p.dial(t)
	io.WriteString(c, watch)
	<-closed
	at := frames.Load()
	must.Until(t, "more frames", func() bool { return frames.Load() > at+10 })
	must.Until(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= before+1 })
}

// The clock is simulated: a viewer that takes nothing for half a minute would be sent away.
func TestASlowViewerMissesFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: the stream ends
		s, program := played(t)
		p := listen(t, &debug.Server{Session: s})
		_, frames := runs(t, program)
		c, _ := p.dial(t)
		reader := stream(t, c)
		var f gather.Frame
		next := func() {
			must.Do(t, reader.Next(&f))
		}
		next()
		first, at := f.Index, frames.Load()
		must.Until(t, "many frames", func() bool { return frames.Load() > at+500 })
		got := uint64(1)
		for ; reader.Lost() == 0; got++ {
			next()
		}
		if want := f.Index - first + 1; got+reader.Lost() != want {
			t.Errorf("got %d frames and %d lost; want %d together", got, reader.Lost(), want)
		}
	})
}

// The ninth gets the reason, and others are answered meanwhile.
func TestTheNinthViewerIsRefused(t *testing.T) {
	s, _ := played(t)
	p := listen(t, &debug.Server{Session: s})
	for range 8 {
		c, _ := p.dial(t)
		go io.WriteString(c, watch)
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, c)
	}
	c, _ := p.dial(t)
	go io.WriteString(c, watch)
	answer := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
	why, _ := io.ReadAll(io.LimitReader(answer.Body, answer.ContentLength))
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(why), "eight viewers") {
		t.Errorf("got %d, %q", answer.StatusCode, why)
	}
	if got := p.ask(t, "GET /debug/iprof/report HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
		t.Errorf("a report beside eight viewers: got %d; want 200", got)
	}
}

func TestAHundredViewersThatComeAndGo(t *testing.T) {
	s, program := played(t)
	p := listen(t, &debug.Server{Session: s})
	_, frames := runs(t, program)
	before := runtime.NumGoroutine()
	var viewers sync.WaitGroup
	for n := range 100 {
		c, _ := p.dial(t)
		viewers.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			request := watch[:len(watch)-random.IntN(2)*random.IntN(len(watch))] // some ask for nothing whole
			c.SetDeadline(time.Now().Add(time.Duration(random.IntN(100)) * time.Millisecond))
			io.WriteString(c, request)
			io.CopyN(io.Discard, c, random.Int64N(100_000))
			c.Close()
		})
	}
	viewers.Wait()
	must.Until(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= before })
	at := frames.Load()
	must.Until(t, "more frames", func() bool { return frames.Load() > at+10 })
	if got := p.ask(t, "HEAD /debug/iprof/live HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
		t.Errorf("a viewer after them: got %d; want 200", got)
	}
}

// Half a request and random bytes hold up neither the program nor other viewers.
func TestHostileBytesInPlaceOfAViewer(t *testing.T) {
	t.Parallel() // it waits
	s, _ := played(t)
	p := listen(t, &debug.Server{Session: s, Timeout: 5 * time.Second})
	for n := range 30 {
		c, _ := p.dial(t)
		junk := make([]byte, 200)
		random := rand.New(rand.NewPCG(2, uint64(n)))
		for i := range junk {
			junk[i] = byte(random.Uint32())
		}
		go fmt.Fprintf(c, "%s%s", watch[:random.IntN(len(watch)-3)], junk)
	}
	if got := p.ask(t, "HEAD /debug/iprof/live HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
		t.Errorf("got %d; want 200", got)
	}
}

// A viewer sees at the first bytes that it is too old.
func TestAStreamOfANewerVersionIsRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "\x89IPROF\r\n\x63\x00")
	}))
	defer server.Close()
	answer := must.Get(http.Get(server.URL))(t)
	defer answer.Body.Close()
	var newer *framefile.NewerError
	if _, err := framefile.NewReader(answer.Body); !errors.As(err, &newer) || newer.Major != 99 {
		t.Errorf("got %v; want a NewerError", err)
	}
}

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
	frames      *world.Random
	last, index uint64
}

func newPaced(seed uint64, off time.Duration, drift float64) *paced {
	return &paced{Session: process.NewSession(), zero: time.Now(), off: off, drift: drift,
		frames: world.NewRandom(seed)}
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

// Over 1 Mbit/s with 200 ms and 5 % loss a viewer gets fewer frames, and is never more than two seconds behind. The
// clock is simulated.
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
