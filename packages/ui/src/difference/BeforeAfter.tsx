import styles from './BeforeAfter.module.css';

/** A value before and after; nothing is "none". `className` replaces its look. */
export function BeforeAfter({
  label,
  before,
  after,
  className = styles.pair,
}: {
  label?: string;
  before: string;
  after: string;
  className?: string | undefined;
}) {
  return (
    <div className={className}>
      {label && <h3>{label}</h3>}
      <del>
        <span className="vh">before: </span>
        {before || 'none'}
      </del>
      <ins>
        <span className="vh">after: </span>
        {after || 'none'}
      </ins>
    </div>
  );
}
