/** Draws a chart by uPlot, in the console's colors. */
import uPlot from 'uplot';
import type { ChartData, Shape } from './series.ts';

const COLORS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6'];
/** A timestamp is whole. */
const LABEL_CHARS_MAX = 19;
const LABEL_SPACE_PX = 150;
const POINT_PX = 5;
/** One line. */
const LEGEND_PX = 30;
/** Where one points at nothing. */
const NOTHING = '–';

export interface Drawing {
  readonly plot: uPlot;
  end(): void;
}

/** A color of the page as the canvas takes it: names of variables mean nothing there. */
export function resolved(name: string, of: Element): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  of.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const shortened = (text: string): string =>
  text.length > LABEL_CHARS_MAX ? `${text.slice(0, LABEL_CHARS_MAX - 1)}…` : text;

/** Where one points, across. */
function wordsOf({ axis, labels }: ChartData, at: number): string {
  if (axis === 'category') return labels[at] ?? '';
  return axis === 'time' ? new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ') : String(at);
}

function pathsOf(shape: Shape, at: number, count: number): uPlot.Series.PathBuilder | undefined {
  if (shape === 'points') return () => null;
  if (shape === 'line') return uPlot.paths.linear?.();
  // Bars of several series stand side by side.
  const width = 0.8 / count;
  return uPlot.paths.bars?.({
    size: [width, 60],
    align: 0,
    ...(count === 1
      ? {}
      : {
          disp: {
            x0: {
              unit: 1,
              values: (u) => Array.from(u.data[0], (x) => x - 0.4 + width * at),
            },
            size: { unit: 1, values: (u) => Array.from(u.data[0], () => width) },
          },
        }),
  });
}

/** @param place whose size it takes, now and when that changes */
export function draw(place: HTMLElement, data: ChartData, shape: Shape): Drawing {
  const colors = COLORS.map((name) => resolved(name, place));
  const [text, line] = [resolved('--muted', place), resolved('--line', place)];
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const size = (): { width: number; height: number } => ({
    width: place.clientWidth,
    height: Math.max(160, place.clientHeight - legendPx()),
  });
  const legendPx = (): number => place.querySelector('.u-legend')?.clientHeight ?? LEGEND_PX;
  const isCategory = data.axis === 'category';
  const plot = new uPlot(
    {
      ...size(),
      scales: {
        x: {
          time: data.axis === 'time',
          ...(shape === 'bar' ? { range: (_u, min, max) => [min - 0.6, max + 0.6] } : {}),
        },
        y:
          shape === 'bar'
            ? { range: (_u, min, max) => uPlot.rangeNum(Math.min(0, min), Math.max(0, max), 0.1, true) }
            : {},
      },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
      axes: [
        {
          ...axis,
          grid: { ...axis.grid, show: !isCategory },
          ...(isCategory
            ? {
                space: LABEL_SPACE_PX,
                incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
                values: (_u: uPlot, splits: number[]) =>
                  splits.map((split) => (Number.isInteger(split) ? shortened(data.labels[split] ?? '') : '')),
              }
            : {}),
        },
        { ...axis, size: 72 },
      ],
      series: [
        {
          label: data.xName,
          value: (_u, at) => (at == null ? NOTHING : wordsOf(data, at)),
        },
        ...data.series.map(({ name }, i): uPlot.Series => {
          const stroke = colors[i % colors.length] ?? text;
          const paths = pathsOf(shape, i, data.series.length);
          return {
            label: name,
            value: (_u, value) => (value == null ? NOTHING : String(value)),
            stroke,
            width: shape === 'line' ? 2 : 1,
            ...(shape === 'bar' ? { fill: stroke } : {}),
            ...(paths === undefined ? {} : { paths }),
            points: { show: shape === 'points', size: POINT_PX, fill: stroke },
            spanGaps: false,
          };
        }),
      ],
      legend: { live: true },
    },
    [[...data.x], ...data.series.map(({ values }) => [...values])],
    place,
  );
  // Called before the first picture, too; until then the legend has not its height.
  const resize = new ResizeObserver(() => plot.setSize(size()));
  resize.observe(place);
  return {
    plot,
    end() {
      resize.disconnect();
      plot.destroy();
    },
  };
}
