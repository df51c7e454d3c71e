package console

import (
	"time"

	"golang.org/x/sys/windows"
)

// waits says whether wait returns without a key. A Windows console signals other events, too, and a read would then
// block.
const waits = false

func (t *terminal) wait() bool { return true }

// takeScreen makes the console act on escape sequences. Consoles before Windows 10 cannot. was has the previous
// settings, for giveScreen.
func (t *terminal) takeScreen() (was uint32, ok bool) {
	out := windows.Handle(t.out.Fd())
	if windows.GetConsoleMode(out, &was) != nil {
		return 0, false
	}
	return was, windows.SetConsoleMode(out, was|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

func (t *terminal) giveScreen(was uint32) {
	_ = windows.SetConsoleMode(windows.Handle(t.out.Fd()), was)
}

// interrupt sends the programs of this console the event of Ctrl+C, and waits until it takes effect.
func (t *terminal) interrupt() {
	if windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) == nil {
		time.Sleep(200 * time.Millisecond)
	}
}
