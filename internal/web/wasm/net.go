//go:build js && wasm

package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall/js"
	"time"

	"example.com/iprof/internal/follow"
	"example.com/iprof/process"
)

// await waits for a promise. It must not be called by a function that the browser calls.
func await(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	good := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = js.Undefined()
		if len(args) > 0 {
			value = args[0]
		}
		close(done)
		return nil
	})
	bad := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New("the connection is lost")
		if len(args) > 0 && args[0].Get("message").Type() == js.TypeString {
			err = errors.New(args[0].Get("message").String())
		}
		close(done)
		return nil
	})
	defer good.Release()
	defer bad.Release()
	promise.Call("then", good, bad)
	<-done
	return value, err
}

// ask sends a request to the server of the page, and returns its answer.
func ask(where string, options map[string]any) (js.Value, error) {
	answer, err := await(js.Global().Call("fetch", where, js.ValueOf(options)))
	if err != nil {
		return answer, errors.New("iprof view does not answer; it may have ended")
	}
	if !answer.Get("ok").Bool() {
		text, err := await(answer.Call("text"))
		if err != nil || strings.TrimSpace(text.String()) == "" {
			return answer, errors.New(answer.Get("statusText").String())
		}
		return answer, errors.New(strings.TrimSpace(text.String()))
	}
	return answer, nil
}

// post sends a text, and returns the text of the answer.
func post(where, body string) (string, error) {
	answer, err := ask(where, map[string]any{"method": "POST", "body": body})
	if err != nil {
		return "", err
	}
	text, err := await(answer.Call("text"))
	if err != nil {
		return "", err
	}
	return text.String(), nil
}

// download puts a file of the server into the file system of the page.
func download(where, file string) error {
	answer, err := ask(where, map[string]any{})
	if err != nil {
		return err
	}
	data, err := await(answer.Call("arrayBuffer"))
	if err == nil {
		js.Global().Get("iprofFiles").Call("put", file, data)
	}
	return err
}

// program is a remote program. The server of the page passes on its stream and its answers.
type program struct {
	number string
}

func (p *program) Follow(ctx context.Context, s *process.Session, say func(follow.State)) {
	follow.Program(ctx, s, p.live, say)
}

func (p *program) Command(_ context.Context, line string) (string, error) {
	return post("command/"+p.number, line)
}

func (p *program) live(ctx context.Context) (io.ReadCloser, error) {
	end := js.Global().Get("AbortController").New()
	answer, err := ask("live/"+p.number, map[string]any{"signal": end.Get("signal")})
	if err != nil {
		return nil, err
	}
	b := &body{reader: answer.Get("body").Call("getReader"), end: end}
	context.AfterFunc(ctx, func() { b.Close() })
	return b, nil
}

// body is an answer that comes piece by piece.
type body struct {
	reader, end js.Value
	rest        []byte
	rested      time.Time // when the browser could last do other things
}

// turn is the time of reading a stream after which the browser may draw and take keys. Available pieces are read before
// that.
const turn = 10 * time.Millisecond

func (b *body) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if time.Since(b.rested) > turn {
			_, _ = await(js.Global().Get("iprofFiles").Call("rest"))
			b.rested = time.Now()
		}
		piece, err := await(b.reader.Call("read"))
		if err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		if piece.Get("done").Bool() {
			return 0, io.EOF
		}
		value := piece.Get("value")
		b.rest = make([]byte, value.Length())
		js.CopyBytesToGo(b.rest, value)
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *body) Close() error {
	b.end.Call("abort")
	return nil
}
