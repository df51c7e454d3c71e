package serve_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/auto"
	_ "example.com/iprof/auto/serve"
	"example.com/iprof/internal/must"
)

// waits is set in a process that only serves.
const waits = "IPROF_TEST_SERVES"

func TestMain(m *testing.M) {
	if os.Getenv(waits) != "" {
		select {}
	}
	os.Exit(m.Run())
}

// With port 0 the system chooses a port, and a user could not find it.
func TestAFreePortIsPrinted(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), waits+"=1", auto.Variable+`={"Listen":"127.0.0.1:0"}`)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "iprof: ")
	if err != nil || !ok {
		t.Fatalf("got %q, %v; want the page's address", line, err)
	}
	answer := must.Get(http.Get(url))(t)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s: got status %d", url, answer.StatusCode)
	}
}
