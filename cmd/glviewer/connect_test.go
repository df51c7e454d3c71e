package main

import (
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// elsewhere is a program that runs and serves its profile.
type elsewhere struct {
	server  *http.Server
	session *process.Session
	stop    chan struct{}
	done    sync.WaitGroup
}

func startElsewhere(t *testing.T, address string) (e *elsewhere, at string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", address))(t)
	s := process.NewSession()
	h := (&debug.Server{Session: s, AllowCommands: true}).Handler()
	e = &elsewhere{server: &http.Server{Handler: h}, session: s, stop: make(chan struct{})}
	e.done.Go(func() { _ = e.server.Serve(l) })
	e.done.Go(func() {
		for r := world.NewGame(1, s); ; time.Sleep(5 * time.Millisecond) {
			select {
			case <-e.stop:
				return
			default:
				_ = r.Step()
			}
		}
	})
	return e, l.Addr().String()
}

func (e *elsewhere) kill() {
	close(e.stop)
	e.server.Close()
	e.done.Wait()
}

// linked waits until the viewer is connected, which it may have been when it was ready.
func (u *user) linked(at string) {
	u.t.Helper()
	line := regexp.MustCompile(`^link glviewer[^:]* · ` + regexp.QuoteMeta(at) + "$")
	if !slices.ContainsFunc(u.program.seen, line.MatchString) {
		u.wait(strings.Trim(line.String(), "^$"))
	}
}

func TestAProgramElsewhere(t *testing.T) {
	longtest.Skip(t)
	e, at := startElsewhere(t, "127.0.0.1:0")
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.see("connected", 1000)
	u.press(symbolSpace)
	u.wait("paused")
	newest := number(t, u.wait(`frame (\d+) .*`)[1])
	u.press(symbolLeft)
	u.wait(fmt.Sprintf(`frame %d .*`, newest-1))
	u.see("connected-paused", 100)
	e.kill()
	u.wait(`link NOT CONNECTED · .+`)
	u.see("lost", 100)
	u.press(symbolLeft)
	u.wait(fmt.Sprintf(`frame %d .*`, newest-2)) // what was there is still there
	e, _ = startElsewhere(t, at)
	defer e.kill()
	u.wait(`link glviewer.+ · ` + regexp.QuoteMeta(at))
	u.press(symbolEnd)
	u.wait("live")
	u.wait("frames [0-9]+")
	u.see("again", 500)
	u.chord(symbolControl, 'q')
	u.press('p')
	if line := u.wait(`closed|precision \d`)[0]; line == "closed" {
		t.Fatal("Ctrl+Q closed the window without a question; want one, as the frames are in no file")
	}
	u.quit()
}

// reset forgets in the program, too.
func TestCommandsGoElsewhere(t *testing.T) {
	longtest.Skip(t)
	e, at := startElsewhere(t, "127.0.0.1:0")
	defer e.kill()
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 100")
	before := e.session.View().Info().Frames
	u.press('x')
	u.see("question", 50)
	u.press('p')
	u.press('x')
	for end := time.Now().Add(patience); e.session.View().Info().Frames >= before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still %d frames in the program; want it reset", e.session.View().Info().Frames)
		}
		u.press('p')
	}
	u.quit()
}

// The card has the program count the calls of its zone, and shows them; events and the overhead limit are the
// program's.
func TestControlsChangeTheProgram(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.press('z')
	u.see("card-opened", 1000)
	must.Until(t, "counting", func() bool { return len(measure.AppendCounted(nil)) > 0 })
	time.Sleep(time.Second) // for the picture: the histogram arrives twice a second
	u.see("connected-card", 1000)
	u.press('z')
	must.Until(t, "counting", func() bool { return len(measure.AppendCounted(nil)) == 0 })
	u.press('e')
	must.Until(t, "events", func() bool { return gather.Events() > 0 })
	u.press('e')
	must.Until(t, "events", func() bool { return gather.Events() == 0 })
	u.quit()
}

// serveSelf serves this process, which works until the test ends, as a program elsewhere.
func serveSelf(t *testing.T) (at string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	stop, done := make(chan struct{}), make(chan struct{})
	server := &http.Server{Handler: (&debug.Server{AllowCommands: true}).Handler()}
	go func() { _ = server.Serve(l) }()
	go func() {
		defer close(done)
		zone, small := gather.Zone{Name: "work"}, gather.Zone{Name: "a part"}
		rest := gather.Zone{Name: "rest", Idle: true}
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			resting := rest.Begin()
			time.Sleep(4 * time.Millisecond)
			resting.End()
			for n := range 20 {
				scope := zone.Begin()
				for end := time.Now().Add(time.Duration(n*i%37) * 10 * time.Microsecond); time.Now().Before(end); {
					small.Begin().End()
				}
				scope.End()
			}
			process.Default().Update()
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-done
		server.Close()
		gather.SetEvents(0)
	})
	return l.Addr().String()
}

func TestConnectNeedsAnAddress(t *testing.T) {
	for _, args := range [][]string{{"-connect", "nonsense"}, {"-connect", "localhost:6061", "-connect", "x"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}
