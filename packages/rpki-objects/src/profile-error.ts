/** Bytes that are not what the profile of an RPKI object asks for. The message is one sentence that names what is wrong. */
export class ProfileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProfileError';
  }
}
