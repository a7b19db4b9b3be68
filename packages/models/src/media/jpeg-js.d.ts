/** As much of the package as is used here; it is loaded with the first JPEG that is too large. */
declare module 'jpeg-js' {
  export interface RawImage {
    readonly width: number;
    readonly height: number;
    /** Red, green, blue and alpha of each pixel. */
    readonly data: Uint8Array;
  }
  export function decode(
    bytes: Uint8Array,
    options: {
      readonly useTArray: true;
      readonly maxResolutionInMP: number;
      readonly maxMemoryUsageInMB: number;
      readonly tolerantDecoding?: boolean;
    },
  ): RawImage;
  export function encode(image: RawImage, quality: number): { readonly data: Uint8Array };
}
