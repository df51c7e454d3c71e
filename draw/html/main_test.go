package html_test

import (
	"os"
	"testing"

	"example.com/iprof/internal/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }
