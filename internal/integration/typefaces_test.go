package integration_test

import _ "example.com/iprof/internal/outlines/gofonts" // package fonts does not link them with the tag iprof_off
