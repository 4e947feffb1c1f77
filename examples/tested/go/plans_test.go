package shelf

import (
	"encoding/json"
	"errors"
	"os/exec"
	"testing"
)

type finding struct {
	Rule, State, Message string
	Place                struct {
		Path  string
		Start struct{ Line int }
	}
}

// No statement of the program scans a table that grows.
func TestPlans(t *testing.T) {
	out, err := exec.Command("planlint", "check", "--format", "json", ".").Output()
	var exit *exec.ExitError
	// 0: nothing found, 1: something; anything else, and the tree could not be judged.
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatal(err)
	}
	var report struct{ Findings []finding }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	for _, one := range report.Findings {
		if one.State == "new" && one.Rule == "growing-table-scan" {
			t.Errorf("%s:%d: %s", one.Place.Path, one.Place.Start.Line, one.Message)
		}
	}
}
