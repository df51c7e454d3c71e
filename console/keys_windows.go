package console

import (
	"time"

	"golang.org/x/sys/windows"
)

// waits says whether wait returns when no key comes. A console is ready for much that is no key, and would then block.
const waits = false

func (t *terminal) wait() bool { return true }

// takeScreen makes the console act on escape sequences. Consoles before Windows 10 do not.
func (t *terminal) takeScreen() bool {
	out := windows.Handle(t.out.Fd())
	if windows.GetConsoleMode(out, &t.screen) != nil {
		return false
	}
	return windows.SetConsoleMode(out, t.screen|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

func (t *terminal) giveScreen() { _ = windows.SetConsoleMode(windows.Handle(t.out.Fd()), t.screen) }

// interrupt sends the programs of this console the event of Ctrl+C, and waits for its effect.
func (t *terminal) interrupt() {
	if windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) == nil {
		time.Sleep(200 * time.Millisecond)
	}
}
