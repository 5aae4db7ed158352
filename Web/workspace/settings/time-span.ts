type Unit = "second" | "minute" | "hour" | "day";

/** A time span as people say it, in its two largest units: `1 h 30 min`, `45 s`. */
export function timeSpanText(seconds: number): string {
  const parts: readonly (readonly [number, Unit])[] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor((seconds % 86_400) / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? unitText(0, "second") : shown.map(([count, unit]) => unitText(count, unit)).join(" ");
}

function unitText(count: number, unit: Unit): string {
  const unitDisplay = unit === "day" ? "long" : "short";
  return new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay }).format(count);
}
