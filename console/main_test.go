package console

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// child in the environment makes the test's own program the one that runs in a terminal. Its value says how the page
// ends. The page of "cancel" ends when the file that childStop names is there.
const (
	child     = "IPROF_CONSOLE_CHILD"
	childStop = "IPROF_CONSOLE_STOP"
)

func TestMain(m *testing.M) {
	if how := os.Getenv(child); how != "" {
		runChild(how)
		return
	}
	os.Exit(m.Run())
}

var step, wait, paint = gather.Zone{Name: "step"}, gather.Zone{Name: "wait", Idle: true}, gather.Zone{Name: "paint"}

// runChild shows the page of a small program.
func runChild(how string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := process.Default()
	switch how {
	case "cancel":
		go func() {
			for _, err := os.Stat(os.Getenv(childStop)); err != nil; _, err = os.Stat(os.Getenv(childStop)) {
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
		}()
	case "panic":
		s = nil
		defer func() { fmt.Println("left by a panic:", recover() != nil) }()
	}
	go frames(ctx)
	fmt.Println("left:", Terminal(ctx, s, os.Stdin, os.Stdout))
}

// frames runs a program of three zones, 50 frames a second.
func frames(ctx context.Context) {
	for ctx.Err() == nil {
		frame()
		process.Default().Update()
	}
}

func frame() {
	for range step.Span {
		for range paint.Span {
			time.Sleep(2 * time.Millisecond)
		}
		for range wait.Span {
			time.Sleep(18 * time.Millisecond)
		}
	}
}
