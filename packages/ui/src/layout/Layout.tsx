import type { CSSProperties, HTMLAttributes } from 'react';
import { classNames } from '../text/class-names.ts';
import styles from './Layout.module.css';
import { useNarrow } from './narrow.ts';

/** Space between parts, of the 4 px grid. */
export type Gap = 0 | 2 | 4 | 6 | 8 | 12 | 16 | 24 | 32 | 48;
type BoxProps = HTMLAttributes<HTMLDivElement> & { gap?: Gap };

const withGap = (style: CSSProperties | undefined, gap: Gap): CSSProperties => ({ gap, ...style });

/** Parts side by side on one line; `wrap` lets the line break. */
export function Row({ gap = 8, wrap, top, className, style, ...rest }: BoxProps & { wrap?: boolean; top?: boolean }) {
  return (
    <div {...rest} style={withGap(style, gap)} className={classNames(styles.row, wrap && styles.wrap, top && styles.top, className)} />
  );
}

/** Parts under one another. */
export function Stack({ gap = 12, className, style, ...rest }: BoxProps) {
  return <div {...rest} style={withGap(style, gap)} className={classNames(styles.stack, className)} />;
}

/**
 * Sections side by side: two or three equal columns, or `split` (list left, 296 px panel right) and `split-wide` (336 px).
 * One column in windows of 991 px and less; fewer equal columns if they would be narrower than 280 px; the splits are stacked
 * up to 1199 px.
 */
export function Grid({ columns, gap = 16, className, style, ...rest }: BoxProps & { columns: 1 | 2 | 3 | 'split' | 'split-wide' }) {
  const narrow = useNarrow();
  const shape = { 1: undefined, 2: styles.two, 3: styles.three, split: styles.split, 'split-wide': styles.splitWide }[columns];
  return <div {...rest} style={withGap(style, gap)} className={classNames(styles.grid, !narrow && shape, className)} />;
}

/** A form: one column of at most 640 px. */
export function FormColumn({ gap = 16, className, style, ...rest }: BoxProps) {
  return <div {...rest} style={withGap(style, gap)} className={classNames(styles.stack, styles.form, className)} />;
}
