/** Bytes that are not what the profile of an RPKI object asks for. The message is one sentence that names what is wrong. */
export class ProfileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProfileError';
  }
}

/** An object that will be valid: its issuer's clock is ahead, or it was signed for later. */
export class NotYetValid extends ProfileError {
  readonly from: Date;
  constructor(what: string, from: Date) {
    super(`${what} is not valid yet`);
    this.from = from;
  }
}
