"""Operations on shaders, materials, lights, lightmaps and particles."""
