/** One figure by day, as bars. Who cannot see it has the same in a table below. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../../app/theme.ts';
import { count } from '../../components/figures.ts';
import { FIGURES, titleOf, type DayUsage, type Figure } from './figures.ts';

const HEIGHT_PX = 240;
const DAY_S = 86_400;
/** Of a day's width. */
const BAR_SHARE = 0.7;
const BAR_PX_MAX = 48;

interface DayChartProps {
  readonly days: readonly DayUsage[];
  readonly figure: Figure;
  readonly onFigure: (figure: Figure) => void;
}

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

function draw(
  element: HTMLElement,
  days: readonly DayUsage[],
  figure: Figure,
  onDay: (day: number | null) => void,
): uPlot {
  // `light-dark()` is worked out for properties only, so the colors are read off an element that has them.
  const text = getComputedStyle(element).color;
  const line = getComputedStyle(element).borderTopColor;
  const fill = getComputedStyle(element).outlineColor;
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const times = days.map(({ day }) => Date.parse(day) / 1_000);
  const most = Math.max(1, ...days.map((each) => each[figure]));
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: [(times[0] ?? 0) - DAY_S / 2, (times.at(-1) ?? 0) + DAY_S / 2] },
        y: { range: [0, most * 1.05] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_plot, splits) => splits.map((second) => DAY.format(second * 1_000)),
          incrs: [1, 2, 7, 14, 30, 61].map((each) => each * DAY_S),
          space: 64,
          size: 32,
        },
        {
          ...axis,
          size: 56,
          values: (_plot, splits) => splits.map((value) => SHORT.format(value)),
          incrs: yIncrements,
        },
      ],
      series: [
        {},
        {
          fill,
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars!({ size: [BAR_SHARE, BAR_PX_MAX], align: 0, radius: 0.15 }),
        },
      ],
      tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), 'Etc/UTC'),
      hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
    },
    [times, days.map((each) => each[figure])],
    element,
  );
}

/** Whole numbers only: there is no half request. */
const yIncrements = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

export function DayChart({ days, figure, onFigure }: DayChartProps) {
  const name = useId();
  const holder = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    let plot = draw(element, days, figure, setPointed);
    const again = (): void => {
      plot.destroy();
      plot = draw(element, days, figure, setPointed);
    };
    const resized = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
    });
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', again);
    return () => {
      scheme.removeEventListener('change', again);
      resized.disconnect();
      plot.destroy();
    };
  }, [days, figure, theme.value]);
  const shown = pointed === null ? null : days[pointed];
  const most = days.reduce<DayUsage | null>(
    (top, each) => (top === null || each[figure] > top[figure] ? each : top),
    null,
  );
  return (
    <>
      <div class="card-head">
        <h2>By day</h2>
        <fieldset class="segments" aria-label="Figure">
          {FIGURES.map((each) => (
            <label key={each.name}>
              <input
                type="radio"
                name={name}
                value={each.name}
                checked={figure === each.name}
                onChange={() => onFigure(each.name)}
              />
              <span>{each.title}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <p class="hint figures chart-hint" aria-hidden="true">
        {shown === null || shown === undefined
          ? unpointed(most === null || most[figure] === 0, figure)
          : `${shown.day}: ${count(shown[figure])} ${titleOf(figure).toLowerCase()}`}
      </p>
      <div
        ref={holder}
        class="day-chart"
        role="img"
        aria-label={`${titleOf(figure)} by day${most === null ? '' : `; most on ${most.day}: ${count(most[figure])}`}`}
      />
    </>
  );
}

const unpointed = (isNothing: boolean, figure: Figure): string =>
  isNothing ? `No ${titleOf(figure).toLowerCase()} in these days.` : 'Point at a day to read it.';
