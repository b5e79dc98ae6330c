import { classNames } from '../text/class-names.ts';
import styles from './Steps.module.css';

/** Progress of a change: edit, review, published. `current` counts from 0. */
export function Steps({ steps, current, label = 'Progress' }: { steps: string[]; current: number; label?: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={classNames(index < current && styles.done, index === current && styles.now)}
          aria-current={index === current ? 'step' : undefined}
        >
          <span>
            {step}
            {index < current && <span className="vh">, done</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
