package auto

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"
)

// endings has the signals that end the program with a report: those that it does not handle itself.
var endings = struct {
	sync.Mutex
	signals []os.Signal
	on      bool
	stop    func()
}{signals: []os.Signal{os.Interrupt, syscall.SIGTERM}, stop: func() {}}

// watchEndings makes the signals end the program with a report. stop ends that.
func watchEndings() (stop func()) {
	setEndings(func(all []os.Signal) []os.Signal { return all }, true)
	return func() { setEndings(func([]os.Signal) []os.Signal { return nil }, false) }
}

// setEndings changes which signals there are.
func setEndings(change func([]os.Signal) []os.Signal, on bool) {
	endings.Lock()
	defer endings.Unlock()
	endings.stop()
	endings.stop = func() {}
	endings.signals, endings.on = change(endings.signals), on
	if on && len(endings.signals) > 0 {
		endings.stop = endOnSignal(endings.signals)
	}
}

// endOnSignal ends the program by one of the signals when it arrives, but writes all that is written at the end before.
// A second signal ends it at once. Ignored signals stay ignored. stop ends the waiting.
func endOnSignal(signals []os.Signal) (stop func()) {
	caught, done := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	go func() {
		select {
		case s := <-caught:
			signal.Stop(caught)
			finish()
			endBy(s)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(caught)
		close(done)
	}
}

// endBy ends the program by a signal. Where that is not possible, it ends with the status of an interrupted program.
func endBy(s os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // the signal arrives meanwhile
	}
	if runtime.GOOS == "windows" {
		os.Exit(-0x3ffffec6) // STATUS_CONTROL_C_EXIT
	}
	os.Exit(2)
}

// leaveToProgram takes signals out that the program handles. None stands for all.
func leaveToProgram(signals []os.Signal) {
	endings.Lock()
	on := endings.on
	endings.Unlock()
	handled := func(s os.Signal) bool { return len(signals) == 0 || slices.Contains(signals, s) }
	setEndings(func(all []os.Signal) []os.Signal { return slices.DeleteFunc(slices.Clone(all), handled) }, on)
}

// Notify is signal.Notify. These signals no longer end the program with a report: the program handles them, and the
// report follows when it ends.
func Notify(c chan<- os.Signal, signals ...os.Signal) {
	leaveToProgram(signals)
	signal.Notify(c, signals...)
}

// NotifyContext is signal.NotifyContext. The signals are the program's, as with Notify.
func NotifyContext(parent context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	leaveToProgram(signals)
	return signal.NotifyContext(parent, signals...)
}
