package viewer

import (
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/card"
)

func cyclePrecision(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Precision = o.Precision%4 + 1 })
}

// afterMode is the order of the command "cycle". The first one shows the most that leaves the program visible.
var afterMode = [...]PanelMode{PanelOff: PanelReportAndGraph, PanelReportAndGraph: PanelFull, PanelFull: PanelHUD,
	PanelHUD: PanelOff}

// cyclePanel goes on to the next panel mode. A hidden panel loses the focus.
func cyclePanel(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) {
		o.Mode = afterMode[o.Mode]
		o.Focused = o.Focused && o.Mode != PanelOff
	})
}

// toggleFocus moves the focus from the host to the panel or back.
func toggleFocus(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Focused = !o.Focused }) }

func leave(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Focused = false }) }

func unscaled(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Scale = 1 }) }

func zoomBy(notches float64) action {
	return func(_ *process.Session, p *Panel) { p.zoom(-1, notches) }
}

func panBy(dx, dy float32) action {
	return func(_ *process.Session, p *Panel) { p.pan(dx, dy) }
}

func scaleBy(step float32) action {
	return func(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Scale = o.Scale + step }) }
}

// toggleCard opens the card of the cursor's zone. From then on the cursor stays on that zone when rows change places.
func toggleCard(s *process.Session, p *Panel) {
	if s != nil { // nil: a panel of data without a session
		p.view.MoveCursor(0)
	}
	p.change(func() { p.card.Open = !p.card.Open })
	p.card.countCalls()
}

func cycleSecond(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Strip = o.Strip + 1 })
}
func cycleTheme(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.Theme = o.Theme + 1 })
}
func toggleHeat(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.HideHeat = !o.HideHeat })
}

// toggleCollector shows the bands of the garbage collector, or hides them.
func toggleCollector(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.HideCollector = !o.HideCollector })
}

// toggleOnlyWork hides waits in the call structure and in the bars of the table, or shows them again.
func toggleOnlyWork(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.OnlyWork = !o.OnlyWork })
}

func (t *Line) show() error {
	mode := PanelReportAndGraph
	if t.Rest != "" {
		at, err := Choose("overlay", t.Rest, []string{"hud", "report", "full"})
		if err != nil {
			return err
		}
		mode = PanelHUD + PanelMode(at)
	}
	t.overlay(mode)
	return nil
}

func (t *Line) hide() { t.overlay(PanelOff) }

func (t *Line) hud() { t.overlay(PanelHUD) }

// overlay sets how much the overlay shows. A hidden overlay gives the keys back to the program.
func (t *Line) overlay(mode PanelMode) {
	t.Panel.Change(func(o *Options) {
		o.Mode, o.Focused = mode, o.Focused && mode != PanelOff
	})
	t.Printf("overlay %s", [...]string{"hidden", "one line", "report and graph", "full"}[mode])
}

// cardPart is the card of a zone.
type cardPart struct {
	*shared
	card.Card
}

// countCalls starts counting the single calls of the cursor's zone while the card is open, and ends the counting of the
// previous zone: see process.View.WantCalls. Code that moves the cursor of the session calls it afterwards. Draw
// neither starts nor ends counting.
func (c *cardPart) countCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Count(c.source)
}

// toggleSource shows the source of the cursor's zone on its card, or its numbers again.
func toggleSource(_ *process.Session, p *Panel) {
	p.change(p.card.ToggleSource)
	p.card.countCalls()
}
