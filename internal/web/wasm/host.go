//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"path"
	"syscall/js"

	"example.com/iprof/gather"
	"example.com/iprof/internal/desk"
	"example.com/iprof/process/report"
)

// host is the page for its desk.
func (p *page) host() desk.Host {
	document := js.Global().Get("document")
	return desk.Host{
		Wake:  p.wake,
		Title: func(title string) { document.Set("title", title) },
		Close: func() { p.closed = true },
		Size:  p.screen.size,
		Scale: func() float32 { return p.screen.scale },
		Clipboard: func(text string) {
			go func() {
				board := js.Global().Get("navigator").Get("clipboard")
				if !board.Truthy() {
					return
				}
				if _, err := await(board.Call("writeText", text)); err != nil {
					p.desk.Tab().Panel().Note("not copied: the browser does not allow it")
					p.wake()
				}
			}()
		},
		Link: p.link,
		Picture: func() (*image.RGBA, error) {
			p.draw() // WebGL does not keep the shown picture
			return p.screen.grab()
		},
		Editor: func(file string, line int) error {
			text, _ := json.Marshal(map[string]any{"file": file, "line": line})
			go func() {
				if _, err := post("edit", string(text)); err != nil {
					p.desk.Tab().Panel().Note(err.Error())
					p.wake()
				}
			}()
			return nil
		},
		Saved:  func(file string) { js.Global().Get("iprofFiles").Call("download", file) },
		Choose: func() { document.Call("getElementById", "files").Call("click") },
		Code:   p.code(),
		Dial: func(address string) (desk.Program, string, error) {
			items := js.Global().Get("iprofSession").Get("items")
			for i := range items.Length() {
				if item := items.Index(i); item.Get("address").Truthy() && item.Get("address").String() == address {
					return &program{fmt.Sprint(i)}, item.Get("name").String(), nil
				}
			}
			return nil, "", errors.New("iprof view was not started with " + address)
		},
	}
}

// open opens a tab for each item of the session.
func (p *page) open(session js.Value) error {
	if session.Get("events").Truthy() {
		p.log = desk.NewLog(lines{})
	}
	items := session.Get("items")
	for i := range items.Length() {
		item := items.Index(i)
		name := item.Get("name").String()
		t := p.desk.NewTab(name)
		if item.Get("address").Truthy() {
			if err := p.desk.Follow(t, item.Get("address").String()); err != nil {
				return err
			}
			continue
		}
		say("reading " + name + "…")
		file := fmt.Sprintf("/files/%d/%s", i, path.Base(name))
		if err := fill(file, item, i); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := p.desk.Open(t, file); err != nil {
			return err
		}
	}
	js.Global().Get("document").Set("title", p.desk.Tab().Title())
	return nil
}

// fill puts an item into the file system of the page. The page may have its data, or has asked for it already.
func fill(file string, item js.Value, number int) error {
	data, err := await(js.Global().Get("Promise").Call("resolve", item.Get("data")))
	item.Delete("data")
	if err != nil || !data.Truthy() {
		return download(fmt.Sprint("file/", number), file)
	}
	js.Global().Get("iprofFiles").Call("put", file, data)
	return nil
}

// code returns the function that asks for sources, or nil if the viewer was started without folders of them.
func (p *page) code() func(gather.ZoneInfo) *report.Code {
	if !js.Global().Get("iprofSession").Get("sources").Truthy() {
		return nil
	}
	known := map[string]*report.Code{}
	return func(zone gather.ZoneInfo) *report.Code {
		key := fmt.Sprint(zone.File, ":", zone.Line, ":", zone.Function)
		code, asked := known[key]
		if asked {
			return code
		}
		known[key] = nil
		go func() {
			text, _ := json.Marshal(map[string]any{"file": zone.File, "line": zone.Line, "function": zone.Function})
			answer, err := post("code", string(text))
			code := &report.Code{Function: report.FunctionName(zone.Function)}
			if err == nil {
				err = json.Unmarshal([]byte(answer), code)
			}
			if err != nil {
				code.Why = err.Error()
			}
			known[key] = code
			p.wake()
		}()
		return nil
	}
}

// say shows a line in the middle of the page; "" hides it.
func say(text string) {
	js.Global().Get("document").Call("getElementById", "status").Set("textContent", text)
}

// lines keeps the lines of the log for tests.
type lines struct{}

func (lines) Write(p []byte) (int, error) {
	all := js.Global().Get("iprofLines")
	if !all.Truthy() {
		all = js.Global().Get("Array").New()
		js.Global().Set("iprofLines", all)
	}
	all.Call("push", string(p[:max(len(p)-1, 0)]))
	return len(p), nil
}
