package debug_test

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
)

// openedIn is the environment's word for the process in which TestOnlyThisMachinesAddressesAreOpen listens.
const openedIn = "IPROF_SOCKETS"

// Without a token nothing but loopback is open, and the import opens nothing. The system's tables say so. The test runs
// itself again, since ListenAndServe listens until its process ends.
func TestOnlyThisMachinesAddressesAreOpen(t *testing.T) {
	if os.Getenv(openedIn) == "" {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), openedIn+"=1")
		out, err := child.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "/unix") {
			t.Errorf("got %v\n%s", err, out)
		}
		return
	}
	if open := opened(t); len(open) > 0 {
		t.Fatalf("the import has opened %v", open)
	}
	const token = "0123456789abcdef"
	for _, test := range []struct{ addr, token, want string }{
		{"", "", "127.0.0.1:6061"}, {":0", "", "127.0.0.1:"}, {"127.0.0.1:0", "", "127.0.0.1:"},
		{"localhost:0", "", "127.0.0.1:"}, {"[::1]:0", "", "[::1]:"}, {":0", token, "127.0.0.1:"},
		{"0.0.0.0:0", "", ""}, {"[::]:0", "", ""}, {"0.0.0.0:0", token[1:], ""}, {"0.0.0.0:0", token, "0.0.0.0:"},
	} {
		t.Run(test.addr+","+test.token, func(t *testing.T) {
			got := opens(t, test.addr, test.token)
			if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %q open; want %q", got, test.want)
			}
		})
	}
	t.Run("unix", opensNoAddress)
}

// opens returns the address that ListenAndServe opens, or "" if it returns an error.
func opens(t *testing.T, addr, token string) string {
	before := opened(t)
	failed := make(chan error, 1)
	go func() {
		if token == "" {
			failed <- debug.ListenAndServe(addr)
		} else {
			failed <- (&debug.Server{Token: token}).ListenAndServe(addr)
		}
	}()
	added := func() []string {
		return slices.DeleteFunc(opened(t), func(open string) bool { return slices.Contains(before, open) })
	}
	var open []string
	var err error
	must.Until(t, "an address or an error", func() bool {
		select {
		case err = <-failed:
		default:
		}
		open = added()
		return err != nil || len(open) > 0
	})
	for _, none := range []syscall.Errno{syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT} {
		if err != nil && strings.HasSuffix(err.Error(), none.Error()) {
			t.Skip("SKIPPED: ", err)
		}
	}
	if len(open) > 1 {
		t.Errorf("got %q open; want one at most", open)
	}
	return strings.Replace(strings.Join(open, " "), "[::]", "0.0.0.0", 1) // where both are one
}

// opensNoAddress serves on a socket of the file system.
func opensNoAddress(t *testing.T) {
	s, _ := played(t)
	before, name := opened(t), filepath.Join(t.TempDir(), "s")
	l := must.Get(net.Listen("unix", name))(t)
	defer l.Close()
	go func() { _ = (&debug.Server{Session: s}).Serve(l) }()
	dial := func(context.Context, string, string) (net.Conn, error) {
		return net.DialTimeout("unix", name, time.Minute)
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial}}
	defer client.CloseIdleConnections()
	answer := must.Get(client.Get("http://localhost/debug/iprof/report"))(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 || !strings.Contains(string(text), "decompress") {
		t.Errorf("got %d, %v, %.200q; want the report", answer.StatusCode, err, text)
	}
	if after := opened(t); !slices.Equal(after, before) {
		t.Errorf("got %v open; want %v", after, before)
	}
}

// opened returns the addresses of TCP that this process listens on, as the system says it.
func opened(t *testing.T) (open []string) {
	t.Helper()
	own := map[string]bool{}
	files := must.Get(os.ReadDir("/proc/self/fd"))(t)
	for _, file := range files {
		to, _ := os.Readlink("/proc/self/fd/" + file.Name())
		own[to] = true
	}
	const listens = "0A"
	const ownAddress, state, inode = 1, 3, 9 // fields of a line
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/self/net/" + table)
		if table == "tcp" && err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) > inode && f[state] == listens && own["socket:["+f[inode]+"]"] {
				open = append(open, address(t, f[ownAddress]).String())
			}
		}
	}
	return open
}

// address reads an address as /proc/net/tcp has it: words of 32 bits in the machine's order, and a port.
func address(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	words, digits, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(words)
	port, e := strconv.ParseUint(digits, 16, 16)
	if err != nil || e != nil {
		t.Fatal(text, err, e)
	}
	for at := 0; at+4 <= len(bytes); at += 4 {
		binary.BigEndian.PutUint32(bytes[at:], binary.NativeEndian.Uint32(bytes[at:]))
	}
	ip, _ := netip.AddrFromSlice(bytes)
	return netip.AddrPortFrom(ip, uint16(port))
}
