// Runs before anything is drawn, so that a dark page does not flash white. A file, because the content security policy
// allows no inline script.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be forbidden; the page then follows the system.
}
