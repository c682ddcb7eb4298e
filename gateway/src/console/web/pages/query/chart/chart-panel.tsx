/** A chart of the rows that are there: chosen by the columns' types, and changed by a press. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { count } from '../../../components/figures.ts';
import { SelectField } from '../../../components/fields.tsx';
import { theme } from '../../../app/theme.ts';
import { CHART_ROWS_MAX, CHART_SERIES_MAX } from '../limits.ts';
import { createCellReader } from '../result/cell-reader.ts';
import type { Run } from '../run/run.ts';
import { draw, type Drawing } from './draw.ts';
import { savePng, saveSvg } from './picture.ts';
import { chartData, choiceFor, isNumeric, type ChartChoice, type Shape } from './series.ts';

const SHAPES: readonly (readonly [Shape, string])[] = [
  ['bar', 'Bars'],
  ['line', 'Line'],
  ['points', 'Points'],
];
const ROW_NUMBER = 'row';

export function ChartPanel({ run }: { readonly run: Run }) {
  const columns = run.columns.value;
  const rows = run.rowCount.value;
  const guess = useMemo(() => choiceFor(columns), [columns]);
  const [changed, setChanged] = useState<ChartChoice | null>(null);
  const choice = changed ?? guess;
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const reader = useMemo(() => createCellReader(run.rows), [run]);
  const data = useMemo(
    () => (choice === null ? null : chartData(columns, reader, rows, choice)),
    [columns, reader, rows, choice],
  );
  const scheme = theme.value;
  useEffect(() => {
    if (place.current === null || data === null || choice === null) return;
    const begun = draw(place.current, data, choice.shape);
    drawing.current = begun;
    return () => begun.end();
  }, [data, choice?.shape, scheme]);
  if (choice === null || data === null) {
    return (
      <EmptyState title="Nothing to draw">
        <p>A chart needs a column of numbers, as a COUNT or a SUM gives.</p>
      </EmptyState>
    );
  }
  const numbers = columns.flatMap((column, at) => (isNumeric(column) ? [at] : []));
  const toggle = (y: number): void => {
    const ys = choice.ys.includes(y) ? choice.ys.filter((each) => each !== y) : [...choice.ys, y];
    if (ys.length > 0 && ys.length <= CHART_SERIES_MAX)
      setChanged({ ...choice, ys: ys.sort((a, b) => a - b) });
  };
  // Asked for when it is pressed: what is drawn now was not there when this was rendered.
  const withPlot = (save: (plot: uPlot) => void): void => {
    if (drawing.current !== null) save(drawing.current.plot);
  };
  return (
    <div class="chart">
      <div class="chart-choices">
        <fieldset class="chart-shape">
          <legend class="sr-only">Shape</legend>
          <div class="segments">
            {SHAPES.map(([shape, name]) => (
              <label key={shape}>
                <input
                  type="radio"
                  name="shape"
                  checked={choice.shape === shape}
                  onChange={() => setChanged({ ...choice, shape })}
                />
                <span>{name}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <SelectField
          label="Across"
          value={choice.x === null ? ROW_NUMBER : String(choice.x)}
          onValue={(value) => setChanged({ ...choice, x: value === ROW_NUMBER ? null : Number(value) })}
          options={[
            [ROW_NUMBER, 'Row number'],
            ...columns.map(({ name }, at) => [String(at), name] as const),
          ]}
        />
        <fieldset class="chart-series">
          <legend>Up</legend>
          {numbers.map((y) => (
            <label key={y}>
              <input type="checkbox" checked={choice.ys.includes(y)} onChange={() => toggle(y)} />
              <bdi>{columns[y]?.name}</bdi>
            </label>
          ))}
        </fieldset>
        <div class="chart-save">
          <Button small onClick={() => withPlot(savePng)}>
            PNG
          </Button>
          <Button small onClick={() => withPlot((plot) => saveSvg(plot, data, choice.shape))}>
            SVG
          </Button>
        </div>
      </div>
      <div
        class="chart-place"
        ref={place}
        role="img"
        aria-label={`Chart of ${data.series.map(({ name }) => name).join(', ')}: ${count(data.x.length)} values. The Rows tab has them.`}
      />
      {data.by === null ? null : (
        <p class="hint">
          One for each <bdi>{data.by.name}</bdi>
          {data.by.seriesLeftOut === 0
            ? '.'
            : `, the ${CHART_SERIES_MAX} largest; ${count(data.by.seriesLeftOut)} more not drawn.`}
        </p>
      )}
      {data.rowsLeftOut === 0 ? null : <p class="hint">The first {count(CHART_ROWS_MAX)} rows are drawn.</p>}
    </div>
  );
}
