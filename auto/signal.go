package auto

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"example.com/iprof"
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
		endings.stop = iprof.WriteOnSignal(atEnd{}, endings.signals...)
	}
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

// atEnd writes all that is written when the program ends, in place of what it is given.
type atEnd struct{}

// Write writes it once.
func (atEnd) Write(p []byte) (int, error) {
	finish()
	return len(p), nil
}
