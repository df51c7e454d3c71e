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

// Terminal shows the session's current view as a live page until q is pressed, in ends, or ctx is done. It returns
// ctx.Err() in the last case. The page uses the terminal's alternate screen. It is drawn four times a second and after
// each key. From 150 columns on, the call structure and the slowest frames or calls stand beside the table. Keys work
// as in the window: ? lists them, : starts a command (see Command), q leaves. Ctrl+C leaves and then interrupts the
// program.
//
// Terminal restores the terminal when it returns or panics. It cannot restore it when the process ends first: by
// os.Exit, a signal, or a panic on another goroutine. Cancel ctx before such an end; the shell command "reset" restores
// a terminal afterwards.
//
// If in or out is not a terminal (a pipe, a socket, a console before Windows 10), Terminal writes the report once and
// then reads lines. Each line is a command, an empty line writes the report, q leaves.
//
// Terminal blocks, so give it a goroutine of its own. Do not read in or write to out meanwhile. Other errors are those
// of in or out.
func Terminal(ctx context.Context, s *process.Session, in io.Reader, out io.Writer) error {
	if t := takeTerminal(in, out); t != nil {
		return t.show(ctx, s)
	}
	return answer(ctx, s, in, out)
}

// enterScreen switches to the alternate screen, hides the cursor and stops line wrap; leaveScreen undoes that.
// enterScreen clears the screen, for terminals that have no alternate one.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
	leaveScreen = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// show runs the page on a terminal in raw mode.
func (t *terminal) show(ctx context.Context, s *process.Session) (err error) {
	interrupted := false
	defer func() { // also after a panic
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

// keyboard reads keys on a goroutine of its own. stop ends that goroutine, so that the program gets the keys typed
// later. On Windows the goroutine ends with the next key, which is lost to the program.
type keyboard struct {
	strokes chan []stroke
	done    chan struct{}
	ended   sync.WaitGroup
	err     error // set before strokes is closed; nil at the end of input
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
	if waits {
		k.ended.Wait()
	}
}

func (k *keyboard) run(t *terminal) {
	var d decoder
	buffer := make([]byte, 256)
	for hasty := 0; hasty < 10; { // ten reads in a row that return nothing at once mean that the terminal is gone
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

// deliver sends the strokes, if there are any. It reports false once the keyboard has been stopped.
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
