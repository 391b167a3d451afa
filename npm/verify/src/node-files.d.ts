// The one function of Node that is used; the types of all of Node would be a dependency.
declare module "node:fs/promises" {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}
