interface StepTrailProps {
  readonly titles: readonly string[];
  /** The step where one is, counted from 0. */
  readonly at: number;
}

/** Where one is on the way. */
export function StepTrail({ titles, at }: StepTrailProps) {
  return (
    <ol class="trail" aria-label="Steps">
      {titles.map((title, i) => (
        <li
          key={title}
          class={i < at ? 'done' : i === at ? 'now' : ''}
          aria-current={i === at ? 'step' : undefined}
        >
          <span class="trail-number" aria-hidden="true">
            {i + 1}
          </span>
          {title}
          {i < at ? <span class="sr-only"> (done)</span> : null}
        </li>
      ))}
    </ol>
  );
}
