package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Size sets the size of the window in CSS pixels and the colour scheme, "light" or "dark".
func (p *Page) Size(width, height int, scheme string) {
	p.t.Helper()
	p.Dense(width, height, 1)
	features := []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}
	p.command("Emulation.setEmulatedMedia", map[string]any{"media": "", "features": features}, nil)
}

// Dense sets the size of the window in CSS pixels, and the number of screen pixels per CSS pixel.
func (p *Page) Dense(width, height int, pixels float64) {
	p.t.Helper()
	p.command("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": pixels, "mobile": false}, nil)
}

// Prefer sets one preference of the user, such as ("prefers-reduced-motion", "reduce"), and resets all others, the
// colour scheme among them.
func (p *Page) Prefer(feature, value string) {
	p.t.Helper()
	features := []map[string]string{{"name": feature, "value": value}}
	p.command("Emulation.setEmulatedMedia", map[string]any{"media": "", "features": features}, nil)
}

// Before runs a script in each page that is opened from now on, before the page's own.
func (p *Page) Before(script string) {
	p.t.Helper()
	p.command("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": script}, nil)
}

// Hide puts another tab before this one, and back. A hidden page is not asked to draw.
func (p *Page) Hide(do func()) {
	p.t.Helper()
	var other struct{ TargetID string }
	session := p.session
	p.session = "" // to the browser
	p.command("Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": p.context}, &other)
	p.command("Target.activateTarget", map[string]any{"targetId": other.TargetID}, nil)
	p.session = session
	do()
	p.session = ""
	p.command("Target.activateTarget", map[string]any{"targetId": p.target}, nil)
	p.command("Target.closeTarget", map[string]any{"targetId": other.TargetID}, nil)
	p.session = session
}

// Touch puts fingers on the window, moves them, or takes them away: "touchStart", "touchMove" and "touchEnd". The
// places of fingers are in CSS pixels; "touchEnd" lists the remaining fingers.
func (p *Page) Touch(kind string, fingers ...[2]float64) {
	p.t.Helper()
	points := []map[string]any{}
	for i, at := range fingers {
		points = append(points, map[string]any{"x": at[0], "y": at[1], "id": i})
	}
	p.command("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points}, nil)
}

// Print shows the page as it prints, until the next call of Size.
func (p *Page) Print() {
	p.t.Helper()
	p.command("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
}

// Move moves the mouse over the first element that selector matches. x and y are 0..1 of its width and height.
func (p *Page) Move(selector string, x, y float64) {
	p.t.Helper()
	p.mouse("mouseMoved", selector, x, y)
}

// Click clicks at such a place.
func (p *Page) Click(selector string, x, y float64) {
	p.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.mouse(kind, selector, x, y)
	}
}

// Wheel turns the mouse's wheel over an element. A positive number of pixels scrolls down.
func (p *Page) Wheel(selector string, x, y, pixels float64) {
	p.t.Helper()
	at := p.placeIn(selector, x, y)
	p.command("Input.dispatchMouseEvent",
		map[string]any{"type": "mouseWheel", "x": at[0], "y": at[1], "deltaX": 0, "deltaY": pixels}, nil)
}

func (p *Page) mouse(kind, selector string, x, y float64) {
	p.t.Helper()
	at := p.placeIn(selector, x, y)
	params := map[string]any{"type": kind, "x": at[0], "y": at[1]}
	if kind != "mouseMoved" {
		params["button"], params["clickCount"] = "left", 1
	}
	p.command("Input.dispatchMouseEvent", params, nil)
}

// placeIn returns the place in the window of a place in an element.
func (p *Page) placeIn(selector string, x, y float64) []any {
	p.t.Helper()
	quoted, _ := json.Marshal(selector)
	at, ok := p.Eval(fmt.Sprintf(`(() => {
		const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'nearest'});
		const b = e.getBoundingClientRect();
		return [b.left + %v * b.width, b.top + %v * b.height]; })()`, quoted, x, y)).([]any)
	if !ok {
		p.t.Fatalf("browser: nothing matches %s", selector)
	}
	return at
}

// Key presses and releases a key by its DOM name, such as "ArrowDown".
func (p *Page) Key(name string) {
	p.t.Helper()
	codes := map[string]int{"Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
		"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
	params := map[string]any{"type": "rawKeyDown", "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
	p.command("Input.dispatchKeyEvent", params, nil)
	params["type"] = "keyUp"
	p.command("Input.dispatchKeyEvent", params, nil)
}

// Strike presses and releases a key of some place, by its DOM code, with the character that the user's layout has
// there. held are "alt", "ctrl", "meta" and "shift".
func (p *Page) Strike(code, key string, held ...string) {
	p.t.Helper()
	modifiers := 0
	for _, h := range held {
		modifiers |= map[string]int{"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}[h]
	}
	params := map[string]any{"type": "rawKeyDown", "key": key, "code": code, "modifiers": modifiers}
	p.command("Input.dispatchKeyEvent", params, nil)
	params["type"] = "keyUp"
	p.command("Input.dispatchKeyEvent", params, nil)
}

// Screenshot writes a picture of the window to a PNG file.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	var r struct{ Data string }
	p.command("Page.captureScreenshot", map[string]any{"format": "png"}, &r)
	b, err := base64.StdEncoding.DecodeString(r.Data)
	p.check(err)
	p.check(os.MkdirAll(filepath.Dir(path), 0o755))
	p.check(os.WriteFile(path, b, 0o644))
}

// Number evaluates an expression that is a number.
func (p *Page) Number(expression string) float64 {
	p.t.Helper()
	v, ok := p.Eval(expression).(float64)
	if !ok {
		p.t.Fatalf("browser: %s is not a number", expression)
	}
	return v
}
