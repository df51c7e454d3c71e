package console

import (
	"context"
	"io"
	"sync"
	"time"

	"example.com/iprof/process"
)

// refresh is how often the page is drawn.
const refresh = time.Second / 4

// Terminal shows the session's current view as a live page until q is pressed, in ends or ctx is done, in which case it
// returns ctx.Err(). The page uses the terminal's alternate screen and is drawn four times a second, and after each key.
// Keys do what they do in the window; ? lists them, : takes a command (see Command), q leaves. Ctrl+C leaves, and then
// interrupts the program as it would have without the page.
//
// However it ends, by a panic in it too, the terminal is left as it was. What nobody can undo is the end of the whole
// process meanwhile: by os.Exit, a signal, or a panic on another goroutine; the shell's "reset" helps then. End ctx first.
//
// When in or out is no terminal (a pipe, a socket), and on systems whose terminals it does not know (Windows), it writes the
// report once and then answers lines with commands; an empty line writes the report again, q leaves.
//
// It blocks, so give it a goroutine of its own. Nothing else should read in, or write to out, meanwhile. An error is in's or
// out's.
func Terminal(ctx context.Context, s *process.Session, in io.Reader, out io.Writer) error {
	if t := takeTerminal(in, out); t != nil {
		return t.show(ctx, s)
	}
	return answer(ctx, s, in, out)
}

// The alternate screen without cursor and line wrap, and back. The last line is cleared for terminals that have none.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
	leaveScreen = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// show runs the page on a terminal in raw mode.
func (t *terminal) show(ctx context.Context, s *process.Session) (err error) {
	interrupted := false
	defer func() { // whatever happens in between
		io.WriteString(t.out, leaveScreen)
		if failed := t.giveBack(); err == nil {
			err = failed
		}
		if interrupted {
			t.interrupt()
		}
	}()
	if _, err := io.WriteString(t.out, enterScreen); err != nil {
		return err
	}
	k := listen(t)
	defer k.stop()
	p := newPage(s)
	screen := screen{w: t.out}
	ticker := time.NewTicker(refresh)
	defer ticker.Stop()
	for {
		width, height := t.size()
		if err := screen.draw(width, p.lines(width, height)); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		case strokes, ok := <-k.strokes:
			if !ok {
				return k.err
			}
			if leave := p.take(strokes, &screen); leave != stay {
				interrupted = leave == interruption
				return nil
			}
		}
	}
}

// keyboard reads keys on a goroutine of its own, which ends when it is stopped: what is typed later is the program's.
type keyboard struct {
	strokes chan []stroke
	done    chan struct{}
	ended   sync.WaitGroup
	err     error // why strokes was closed; nil at the end of input
}

func listen(t *terminal) *keyboard {
	k := &keyboard{strokes: make(chan []stroke), done: make(chan struct{})}
	k.ended.Add(1)
	go func() {
		defer k.ended.Done()
		defer close(k.strokes)
		k.run(t)
	}()
	return k
}

func (k *keyboard) stop() {
	close(k.done)
	k.ended.Wait()
}

func (k *keyboard) run(t *terminal) {
	var d decoder
	buffer := make([]byte, 256)
	for hasty := 0; hasty < 10; { // reads that return nothing, and at once, again and again: the terminal has gone
		began := time.Now()
		n, err := t.read(buffer)
		if err != nil {
			k.err = err
			return
		}
		hasty++
		if n > 0 || time.Since(began) > 10*time.Millisecond {
			hasty = 0
		}
		strokes := d.add(buffer[:n])
		if len(strokes) == 0 {
			strokes = nil
		}
		if !k.deliver(strokes) {
			return
		}
	}
}

// deliver hands strokes over, unless it has been stopped.
func (k *keyboard) deliver(strokes []stroke) bool {
	if strokes == nil {
		select {
		case <-k.done:
			return false
		default:
			return true
		}
	}
	select {
	case k.strokes <- strokes:
		return true
	case <-k.done:
		return false
	}
}
